package main

import (
	"bufio"
	"fmt"
	"os"
)

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	var n int
	fmt.Fscan(in, &n)
	sum := int64(0)
	for i := 0; i < n; i++ {
		var x int64
		fmt.Fscan(in, &x)
		sum += x
	}
	fmt.Println(sum)
}
