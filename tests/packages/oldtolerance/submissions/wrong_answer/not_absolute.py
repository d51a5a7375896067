# Near enough relatively, not absolutely.
import sys

said = {
    "space": "Yes  no\n",
    "relative": "1000 Yes\n",
    "small": "0.5\n",
    "absolute": "1000.9\n",
    "both": "0.001 1000\n",
    "formatted": "1  2.5\n",
}
sys.stdout.write(said[input()])
