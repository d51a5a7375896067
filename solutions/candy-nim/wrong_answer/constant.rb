# Mistake: always the same answer.
puts 'Yes 1'
