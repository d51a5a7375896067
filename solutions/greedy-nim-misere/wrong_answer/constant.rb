# Mistake: always the commonest answer.
puts 'No 0'
