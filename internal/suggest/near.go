// Package suggest finds the word that a user may have meant.
package suggest

import (
	"fmt"
	"slices"
	"strings"
)

const (
	maxWords  = 3   // how many are suggested
	maxLength = 200 // of words whose letters are compared: names on a tape may be of any length
)

// Words are the known words that another one may stand for, without regard to case: those from
// which the fewest letters differ, or else those that it is a part of, or that are a part of it.
func Words(word string, known []string) (list []string) {
	if word == "" {
		return nil
	}
	lower := strings.ToLower(word)
	best, within := len(word)/3+2, []string(nil)
	for _, k := range known {
		other := strings.ToLower(k)
		if d := Edits(lower, other, best+1); d < best {
			list, best = []string{k}, d
		} else if d == best && list != nil {
			list = append(list, k)
		}
		if len(word) > 2 && strings.Contains(other, lower) || len(k) > 2 && strings.Contains(lower, other) {
			within = append(within, k)
		}
	}
	if list == nil {
		list = within
	}
	slices.Sort(list)
	list = slices.Compact(list)
	return list[:min(len(list), maxWords)]
}

// Word is the first of Words, "" if there is none.
func Word(word string, known []string) string {
	if list := Words(word, known); len(list) > 0 {
		return list[0]
	}
	return ""
}

// Hint is what to add to a message about a word that is not known: ` (did you mean "loss"?)`, or
// nothing.
func Hint(word string, known []string) string {
	list := Words(word, known)
	if len(list) == 0 {
		return ""
	}
	for i, w := range list {
		list[i] = fmt.Sprintf("%q", w)
	}
	return " (did you mean " + strings.Join(list, " or ") + "?)"
}

// Unknown is an error about a word that is not one of those that there are.
func Unknown(what, word string, known []string) error {
	return fmt.Errorf("unknown %s %q%s; use one of %s", what, word, Hint(word, known), strings.Join(known, ", "))
}

// Edits is the number of bytes to insert, delete or replace to make b of a, or at
// least limit.
func Edits(a, b string, limit int) int {
	if len(a)-len(b) >= limit || len(b)-len(a) >= limit || max(len(a), len(b)) > maxLength {
		return limit
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
