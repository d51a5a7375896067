-- Mistake: always the commonest answer.
print("lose")
