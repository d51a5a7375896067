-- Plain xor.
local n = io.read("n")
local x = 0
for _ = 1, n do
  x = x ~ io.read("n")
end
print(x ~= 0 and "Yes" or "No")
