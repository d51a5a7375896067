print(-100)
