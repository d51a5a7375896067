# Mistake: always the commonest answer.
gets.to_i.times { puts 'first' }
