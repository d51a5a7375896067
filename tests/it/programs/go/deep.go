package main

import "fmt"

func fold(n int64) int64 {
	if n == 0 {
		return 0
	}
	return (fold(n-1)/2 + n) % 1000003
}

func main() {
	var n int64
	fmt.Scan(&n)
	fmt.Println(fold(n))
}
