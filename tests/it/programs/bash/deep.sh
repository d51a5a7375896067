read -r depth
value=0
fold() {
    (($1 == 0)) && return
    fold $(($1 - 1))
    ((value = (value / 2 + $1) % 1000003))
}
fold "$depth"
echo "$value"
