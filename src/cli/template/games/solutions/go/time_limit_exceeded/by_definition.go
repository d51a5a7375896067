// Too slow: computes the Grundy value of every heap size by the definition.

package main

import (
	"bufio"
	"fmt"
	"os"
)

func main() {
	in := bufio.NewReader(os.Stdin)
	var n, k, nimSum int
	fmt.Fscan(in, &n, &k)
	grundy := []int{0}
	seen := make([]int, k+2)
	for i := 0; i < n; i++ {
		var a int
		fmt.Fscan(in, &a)
		for size := len(grundy); size <= a; size++ {
			value := 0
			for taken := 1; taken <= k && taken <= size; taken++ {
				seen[grundy[size-taken]] = size
			}
			for seen[value] == size {
				value++
			}
			grundy = append(grundy, value)
		}
		nimSum ^= grundy[a]
	}
	if nimSum == 0 {
		fmt.Println("Second")
	} else {
		fmt.Println("First")
	}
}
