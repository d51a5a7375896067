// Mistake: expects every size to occur a number of times that is divisible by k + 1.
package main

import (
	"bufio"
	"fmt"
	"os"
)

func main() {
	in := bufio.NewReader(os.Stdin)
	var n, k, a int
	fmt.Fscan(in, &n, &k)
	times := map[int]int{}
	for i := 0; i < n; i++ {
		fmt.Fscan(in, &a)
		if a > 0 {
			times[a]++
		}
	}
	for _, t := range times {
		if t%(k+1) != 0 {
			fmt.Println("Yes")
			return
		}
	}
	fmt.Println("No")
}
