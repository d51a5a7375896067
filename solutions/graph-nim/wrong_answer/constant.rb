# Mistake: always the same value.
puts 0
