# Small letters for capital ones.
import sys

said = {
    "space": "yes  no\n",
    "relative": "1000 Yes\n",
    "small": "0.5\n",
    "absolute": "1000\n",
    "both": "0.001 1000\n",
    "formatted": "1  2.5\n",
}
sys.stdout.write(said[input()])
