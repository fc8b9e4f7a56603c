package builtin

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/internal/testing/goldenfile"
)

var update = flag.Bool("update", false, "rewrite generated files")

// TestNamesAreThoseOfTheTable compares python/builtin/torch/_names.py with the operator
// table; -update rewrites it.
func TestNamesAreThoseOfTheTable(t *testing.T) {
	const file = "../../../python/builtin/torch/_names.py"
	goldenfile.Check(t, file, namesFile(), *update)
}

// namesFile is the list of the engine's functions as a Python file.
func namesFile() string {
	modules := map[string][]string{}
	var order []string
	for _, name := range autograd.FunctionNames() {
		dot := strings.LastIndexByte(name, '.')
		module, short := name[:dot], name[dot+1:]
		if modules[module] == nil {
			order = append(order, module)
		}
		modules[module] = append(modules[module], short)
	}
	var b strings.Builder
	b.WriteString("\"\"\"The engine's functions, from its operator table. Generated; do not edit:\n`go test ./capture/python/builtin -run TestNamesAreThoseOfTheTable -update` writes it.\"\"\"\n\nNAMES = {\n")
	for _, module := range order {
		fmt.Fprintf(&b, "    %q: \"\"\"", module)
		width := 200
		for _, name := range modules[module] {
			if width+len(name) > 100 {
				b.WriteString("\n       ")
				width = 7
			}
			b.WriteString(" " + name)
			width += len(name) + 1
		}
		b.WriteString("\n    \"\"\",\n")
	}
	b.WriteString("}\n")
	return b.String()
}
