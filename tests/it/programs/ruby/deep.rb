def fold(n)
  n.zero? ? 0 : (fold(n - 1) / 2 + n) % 1000003
end

puts fold(gets.to_i)
