package inspect

import (
	"fmt"
	"strings"
)

// RankNames names ranks of a distributed program, which are sorted: "rank 1 of 2", "ranks
// 0-2, 5 of 8", "all 4 ranks".
func RankNames(ranks []int, size int) string {
	if len(ranks) == size && size > 1 {
		return fmt.Sprintf("all %d ranks", size)
	}
	var runs []string
	for i := 0; i < len(ranks); {
		j := i
		for j+1 < len(ranks) && ranks[j+1] == ranks[j]+1 {
			j++
		}
		run := fmt.Sprint(ranks[i])
		if j > i {
			run += fmt.Sprintf("-%d", ranks[j])
		}
		runs = append(runs, run)
		i = j + 1
	}
	word := "rank"
	if len(ranks) > 1 {
		word = "ranks"
	}
	return fmt.Sprintf("%s %s of %d", word, strings.Join(runs, ", "), size)
}
