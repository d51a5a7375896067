# Too far off both ways.
import sys

said = {
    "space": "Yes  no\n",
    "relative": "1000 Yes\n",
    "small": "0.5\n",
    "absolute": "1000\n",
    "both": "0.001 1001.5\n",
    "formatted": "1  2.5\n",
}
sys.stdout.write(said[input()])
