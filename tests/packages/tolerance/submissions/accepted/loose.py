# White space counts in one group only.
import sys

said = {
    "space": "Yes  no\n",
    "relative": " 1000\n\nYes",
    "small": "0.5\n",
    "absolute": "1000\n",
    "both": "0.001\t1000",
    "formatted": "1  2.5\n",
}
sys.stdout.write(said[input()])
