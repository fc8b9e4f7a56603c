package inspect

import (
	"fmt"
	"strconv"
	"strings"
)

// This file writes shapes, sizes and ranks for people.

// ShapeText writes a shape as Python shows a list: [3, 4].
func ShapeText(shape []int) string {
	parts := make([]string, len(shape))
	for i, n := range shape {
		parts[i] = strconv.Itoa(n)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// Bytes writes a number of bytes for people: 980 B, 1.5 KiB, 2.0 GiB.
func Bytes(n uint64) string {
	if n < 1024 {
		return fmt.Sprintf("%d B", n)
	}
	f, unit := float64(n), ""
	for _, u := range []string{"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"} {
		if f < 1023.95 { // which would be written as 1024.0
			break
		}
		f, unit = f/1024, u
	}
	return fmt.Sprintf("%.1f %s", f, unit)
}

// RankNames names ranks of a distributed program, which are sorted: "rank 1 of 2", "ranks
// 0-2, 5 of 8", "all 4 ranks".
func RankNames(ranks []int, size int) string {
	if len(ranks) == size && size > 1 {
		return fmt.Sprintf("all %d ranks", size)
	}
	word := "rank"
	if len(ranks) > 1 {
		word = "ranks"
	}
	return fmt.Sprintf("%s %s of %d", word, Runs(ranks), size)
}

// Runs writes numbers, which are sorted: "0-2, 5".
func Runs(numbers []int) string {
	var runs []string
	for i := 0; i < len(numbers); {
		j := i
		for j+1 < len(numbers) && numbers[j+1] == numbers[j]+1 {
			j++
		}
		run := fmt.Sprint(numbers[i])
		if j > i {
			run += fmt.Sprintf("-%d", numbers[j])
		}
		runs = append(runs, run)
		i = j + 1
	}
	return strings.Join(runs, ", ")
}
