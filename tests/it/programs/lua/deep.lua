local function fold(n)
  if n == 0 then
    return 0
  end
  return (fold(n - 1) // 2 + n) % 1000003
end

print(fold(io.read("n")))
