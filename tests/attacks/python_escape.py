# Tries a shell, the secret and a connection from a script.
# expect A B C: blocked
import os
import socket
import subprocess
import sys

try:
    print("ESCAPED:", open(os.path.join(sys.argv[1], "secret")).read())
    sys.exit(1)
except OSError:
    pass
try:
    socket.create_connection(("127.0.0.1", int(sys.argv[2])), 1)
    print("ESCAPED: a connection")
    sys.exit(1)
except OSError:
    pass
subprocess.run(["sh", "-c", "cat " + sys.argv[1] + "/secret; (sleep 1000 &)"], stderr=subprocess.DEVNULL)
