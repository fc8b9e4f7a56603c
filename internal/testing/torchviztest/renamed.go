// Package torchviztest compares DOT texts with torchviz's.
package torchviztest

import (
	"fmt"
	"regexp"
)

// statement is the beginning of a statement in torchviz's style, with the
// identifiers as groups.
var statement = regexp.MustCompile(`(?m)^\t([nt][0-9]+(?:s[0-9]+)?)(?: -> ([nt][0-9]+(?:s[0-9]+)?))?( \[|$)`)

// Renamed gives the nodes of a DOT text the names n0, n1 … in the order of their
// first appearance.
func Renamed(dot string) string {
	names := map[string]string{}
	rename := func(id string) string {
		if names[id] == "" {
			names[id] = fmt.Sprintf("n%d", len(names))
		}
		return names[id]
	}
	return statement.ReplaceAllStringFunc(dot, func(s string) string {
		m := statement.FindStringSubmatch(s)
		out := "\t" + rename(m[1])
		if m[2] != "" {
			out += " -> " + rename(m[2])
		}
		return out + m[3]
	})
}
