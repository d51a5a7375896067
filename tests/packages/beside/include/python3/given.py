FACTOR = {{factor}}
