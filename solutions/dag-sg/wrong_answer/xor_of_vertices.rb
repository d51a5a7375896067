# Mistake: plain Nim on the numbers of the vertices.
data = $stdin.read.split.map(&:to_i)
n, m, k = data
tokens = data[3 + 2 * m, k]
puts tokens.reduce(:^).zero? ? 'lose' : 'win'
