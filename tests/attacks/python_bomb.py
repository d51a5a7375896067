# Processes by the pool, as many as there are.
# expect A B: cpu|processes|memory|wall|idle|fails|blocked
import os

while True:
    try:
        os.fork()
    except OSError:
        pass
