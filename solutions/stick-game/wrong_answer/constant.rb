# Mistake: always the commonest answer, won and lost in turn.
n = gets.split[0].to_i
puts ('WL' * n)[0, n]
