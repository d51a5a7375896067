# Mistake: always the same move.
puts '1 1'
