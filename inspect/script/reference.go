package script

import (
	"fmt"
	"strings"
)

// Names returns the names of all functions that scripts may call.
func Names() (names []string) {
	for _, b := range builtins {
		names = append(names, b.name)
	}
	for _, a := range assertionTable {
		names = append(names, "assert."+a.name)
	}
	return names
}

// Reference returns the documentation of functions and objects in Markdown.
func Reference() string {
	var b strings.Builder
	b.WriteString("### Functions\n\n")
	for _, f := range builtins {
		fmt.Fprintf(&b, "- `%s(%s)`: %s\n", f.name, f.signature, f.doc)
	}
	b.WriteString("\n### Assertions\n\n| | holds if |\n| --- | --- |\n")
	for _, a := range assertionTable {
		fmt.Fprintf(&b, "| `assert.%s(%s)` | %s |\n", a.name, a.signature, strings.ReplaceAll(a.doc, "|", `\|`))
	}
	b.WriteString("\n### Objects\n")
	describe(&b, tensorKind)
	describe(&b, valueKind)
	describe(&b, nodeKind)
	describe(&b, savedKind)
	describe(&b, passKind)
	describe(&b, gradKind)
	describe(&b, findingKind)
	return b.String()
}

func describe[T any](b *strings.Builder, k *kind[T]) {
	fmt.Fprintf(b, "\n#### %s\n\n| attribute | |\n| --- | --- |\n", k.name)
	for _, a := range k.attributes {
		fmt.Fprintf(b, "| `%s` | %s |\n", a.name, a.doc)
	}
}
