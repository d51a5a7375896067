# Mistake: always the commonest answer.
print("Yes")
