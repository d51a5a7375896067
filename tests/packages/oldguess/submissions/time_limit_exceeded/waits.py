# Each waits for the other.
input()
