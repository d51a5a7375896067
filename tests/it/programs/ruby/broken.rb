def solve(
end
