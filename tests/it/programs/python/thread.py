import sys
import threading

sys.setrecursionlimit(1 << 20)
threading.stack_size(128 << 20)


def main():
    print("from a thread")


worker = threading.Thread(target=main)
worker.start()
worker.join()
