// Mistake: believes that the values 1, 0, 2 of the first heaps go on for ever.
package main

import "fmt"

func value(n int) int {
	if n < 3 {
		return 0
	}
	return []int{1, 0, 2}[n%3]
}

func main() {
	var n, x int
	fmt.Scan(&n)
	a := make([]int, n)
	for i := range a {
		fmt.Scan(&a[i])
		x ^= value(a[i])
	}
	for i, size := range a {
		for part := 1; x != 0 && 2*part < size; part++ {
			if x^value(size)^value(part)^value(size-part) == 0 {
				fmt.Println(i+1, part)
				return
			}
		}
	}
	fmt.Println(0, 0)
}
