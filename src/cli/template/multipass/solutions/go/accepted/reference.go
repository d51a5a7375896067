// The reference solution: writes the number in base 26 with the letters as digits.

package main

import "fmt"

func main() {
	var task string
	fmt.Scan(&task)
	if task == "encode" {
		var x int
		fmt.Scan(&x)
		word := ""
		for i := 0; i < 5; i++ {
			word += string(rune('a' + x%26))
			x /= 26
		}
		fmt.Println(word)
	} else {
		var word string
		fmt.Scan(&word)
		x := 0
		for i := len(word) - 1; i >= 0; i-- {
			x = 26*x + int(word[i]-'a')
		}
		fmt.Println(x)
	}
}
