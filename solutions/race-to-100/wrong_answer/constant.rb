# Mistake: always the commonest answer.
puts 1
