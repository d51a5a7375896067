#!/usr/bin/env python3
import sys
sys.exit(42 if 0 <= int(sys.stdin.read()) <= 100 else 43)
