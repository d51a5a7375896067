read -r count
read -ra numbers
sum=0
for number in "${numbers[@]}"; do ((sum += number)); done
echo "$sum"
