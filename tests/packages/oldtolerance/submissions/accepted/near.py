# As far off as may be, and numbers in other spellings.
import sys

said = {
    "space": "Yes  no\n",
    "relative": "1.0009e3 Yes\n",
    "small": ".5004\n",
    "absolute": "+1000.0009\n",
    "both": "0.0019 999.5\n",
    "formatted": "1.0005  +2.5\n",
}
sys.stdout.write(said[input()])
