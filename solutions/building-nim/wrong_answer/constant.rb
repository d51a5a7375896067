# Mistake: always the commonest answer.
puts 'Yes'
