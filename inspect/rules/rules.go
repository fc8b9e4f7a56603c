// Package rules holds what gradtui knows about the causes of wrong gradients: one
// rule in one file for each cause, with its documentation in docs/ and programs
// that it must find, or leave alone, in testdata/.
package rules

import (
	"embed"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/inspect"
)

//go:embed docs/*.md
var docs embed.FS

// all are the rules, sorted by code.
var all []inspect.Rule

// register adds a rule and its documentation; the files of this package call it when
// the program begins.
func register(r inspect.Rule) {
	r.Doc = document(r.Code)
	i, exists := slices.BinarySearchFunc(all, r.Code, func(r inspect.Rule, code string) int { return strings.Compare(r.Code, code) })
	if exists {
		panic("rules: two rules " + r.Code)
	}
	all = slices.Insert(all, i, r)
}

// All are the rules, sorted by code.
func All() []inspect.Rule { return all }

// Find is the rule with a code.
func Find(code string) (inspect.Rule, bool) {
	i := slices.IndexFunc(all, func(r inspect.Rule) bool { return r.Code == code })
	if i < 0 {
		return inspect.Rule{}, false
	}
	return all[i], true
}

// document is the documentation of a rule.
func document(code string) string {
	text, err := docs.ReadFile("docs/" + code + ".md")
	if err != nil {
		return ""
	}
	return string(text)
}
