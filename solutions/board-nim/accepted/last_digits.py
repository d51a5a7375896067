# Only the last digit of a side matters.
input()
even = sum(k[-1] in "02468" for k in input().split())
print("No" if even > 1 else "Yes")
