package compare

import "github.com/gradtui/gradtui/inspect"

// Findings compares what was found in two runs of a program: what only the first has, what only the
// second has, and how many both have. A finding is known by its code and its line.
func Findings(a, b []inspect.Finding) (gone, added []inspect.Finding, both int) {
	type key struct {
		code, file string
		line       int
	}
	keyOf := func(f *inspect.Finding) key { return key{f.Code, f.Primary.File, f.Primary.Line} }
	in := func(all []inspect.Finding) map[key]bool {
		found := map[key]bool{}
		for i := range all {
			found[keyOf(&all[i])] = true
		}
		return found
	}
	first, second := in(a), in(b)
	for i := range a {
		if second[keyOf(&a[i])] {
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
