# Mistake: an odd number of heaps is indeed always won, but an even number is not always lost.
n = gets.to_i
puts n.odd? ? 'Yes' : 'No'
