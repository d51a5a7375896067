-- Mistake: compares steps 1 and 3 and forgets that there may be more above them.
local n = io.read("n")
local a = {}
for i = 1, n do a[i] = io.read("n") end
print((n > 2 and a[1] == a[3]) and "No" or "Yes")
