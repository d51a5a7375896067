// Mistake: finds a repetition, but not the first: it compares windows at multiples of the largest move only.
package main

import "fmt"

func main() {
	var k int
	fmt.Scan(&k)
	moves := make([]int, k)
	longest := 0
	for i := range moves {
		fmt.Scan(&moves[i])
		if moves[i] > longest {
			longest = moves[i]
		}
	}
	var h int64
	fmt.Scan(&h)
	var values []byte
	seen := map[string]int{}
	for {
		size := len(values)
		reached := [16]bool{}
		for _, s := range moves {
			if s <= size {
				reached[values[size-s]] = true
			}
		}
		v := byte(0)
		for reached[v] {
			v++
		}
		values = append(values, v)
		if len(values)%longest == 0 {
			start := len(values) - longest
			if before, there := seen[string(values[start:])]; there {
				q, p := int64(before), int64(start-before)
				place := h
				if h >= q {
					place = q + (h-q)%p
				}
				fmt.Println(q, p, values[place])
				return
			}
			seen[string(values[start:])] = start
		}
	}
}
