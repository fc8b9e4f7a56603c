package compare

import (
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

// Findings compares what was found in two runs of a program: what only the first has, what only the
// second has, and how many both have. A finding is known by its code and its line.
func Findings(a, b []inspect.Finding) (gone, added []inspect.Finding, both int) {
	return FindingsOfEdited(a, b, func(at graph.Frame) int { return at.Line })
}

// FindingsOfEdited is [Findings] for a program that was edited between its runs: moved returns the line in the
// second run of a place of the first, 0 if it is not there any more.
func FindingsOfEdited(a, b []inspect.Finding, moved func(graph.Frame) int) (gone, added []inspect.Finding, both int) {
	type key struct {
		code, file string
		line       int
	}
	keyOf := func(f *inspect.Finding) key { return key{f.Code, f.Primary.File, f.Primary.Line} }
	keyOfFirst := func(f *inspect.Finding) key {
		k := keyOf(f)
		if k.line > 0 {
			if k.line = moved(f.Primary.Frame); k.line == 0 {
				k.line = -1 // which no finding has
			}
		}
		return k
	}
	in := func(all []inspect.Finding, keyOf func(*inspect.Finding) key) map[key]bool {
		found := map[key]bool{}
		for i := range all {
			found[keyOf(&all[i])] = true
		}
		return found
	}
	first, second := in(a, keyOfFirst), in(b, keyOf)
	for i := range a {
		if second[keyOfFirst(&a[i])] {
			both++
		} else {
			gone = append(gone, a[i])
		}
	}
	for i := range b {
		if !first[keyOf(&b[i])] {
			added = append(added, b[i])
		}
	}
	return gone, added, both
}
