# Mistake: the players pair the heaps off, so an odd number of heaps is thought to be won and an even number lost.
gets
heaps = gets.split.map(&:to_i).select { |a| a > 0 }
puts heaps.size.odd? ? 'Yes' : 'No'
