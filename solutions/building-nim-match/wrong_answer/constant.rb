# Mistake: says always the same.
puts 'first', '1', '1 1'
