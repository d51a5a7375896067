# Mistake: always the same answer.
puts '0 2 0'
