n, *numbers = STDIN.read.split.map(&:to_i)
puts numbers.take(n).sum
