# Mistake: always the commonest answer.
puts '0 0'
