# Starts as many pool processes as possible.
# expect A B: cpu|processes|memory|wall|idle|fails|blocked
import os

while True:
    try:
        os.fork()
    except OSError:
        pass
