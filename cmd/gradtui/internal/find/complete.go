package find

import (
	"slices"
	"strings"
)

// maxCompletions bounds the completions of a word.
const maxCompletions = 100

// Completer returns a function that completes the last of some words to the names of things
// of some kinds, in alphabetical order. An ambiguous name comes with its scope or folder.
func (x *Index) Completer(kinds ...Kind) func(words []string) []string {
	return func(words []string) []string {
		if len(words) == 0 {
			return nil
		}
		x.mu.RLock()
		defer x.mu.RUnlock()
		word := words[len(words)-1]
		var fitting []*label
		times := map[string]int{} // how many labels have a name
		for i := range x.labels {
			l := &x.labels[i]
			name := l.text[l.name:]
			if slices.Contains(kinds, l.kind) && (hasPrefixFold(name, word) || hasPrefixFold(l.text, word)) {
				fitting = append(fitting, l)
				times[name]++
			}
		}
		var found []string
		for _, l := range fitting {
			name := l.text[l.name:]
			if times[name] > 1 || !hasPrefixFold(name, word) {
				name = l.text
			}
			if !strings.ContainsAny(name, " ") {
				found = append(found, name)
			}
		}
		slices.Sort(found)
		found = slices.Compact(found)
		return found[:min(len(found), maxCompletions)]
	}
}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}
