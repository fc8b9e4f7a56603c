package graph

import (
	"regexp"
	"strings"
)

// An Amount says how many leading elements recorders keep of the tensors with certain names.
type Amount struct {
	// Pattern is what matches names of tensors and paths of modules: * stands for any text, ? for
	// one character. It matches a part between dots, too: "fc1" is all of the module fc1, "weight"
	// all weights. Brackets are dots: "layers.0" is "layers[0]".
	Pattern  string `json:"pattern"`
	Elements int    `json:"elements"` // at most MostElements
}

// Amounts decide by name. A nil one decides nothing.
type Amounts struct {
	List  []Amount // the first that matches counts
	exprs []*regexp.Regexp
}

// NewAmounts returns amounts in the order in which they count; nil without any.
func NewAmounts(list []Amount) *Amounts {
	if len(list) == 0 {
		return nil
	}
	a := &Amounts{List: list}
	for _, x := range list {
		a.exprs = append(a.exprs, regexp.MustCompile(x.Expression()))
	}
	return a
}

var bracketed = regexp.MustCompile(`\[['"]?([^\]'"]*)['"]?\]`)

// dotted writes a name with dots for brackets.
func dotted(name string) string { return bracketed.ReplaceAllString(name, ".$1") }

// Expression is the regular expression that finds the pattern in a name with dots for brackets.
// Go and Python read it alike.
func (a Amount) Expression() string {
	text := regexp.QuoteMeta(dotted(a.Pattern))
	return `(?s)(?:^|\.)` + strings.NewReplacer(`\*`, `.*`, `\?`, `.`).Replace(text) + `(?:$|\.)`
}

// Matches reports whether amount i is for something with this name.
func (a *Amounts) Matches(i int, name string) bool { return a.exprs[i].MatchString(dotted(name)) }

// Rule is the index of the first amount that is for something with some names; -1: none.
func (a *Amounts) Rule(names ...string) int {
	for i := range a.List {
		for _, name := range names {
			if name != "" && a.Matches(i, name) {
				return i
			}
		}
	}
	return -1
}
