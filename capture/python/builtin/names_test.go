package builtin

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/gradtui/gradtui/autograd"
)

var update = flag.Bool("update", false, "rewrite generated files")

// TestNamesAreThoseOfTheTable compares python/builtin/torch/_names.py with the operator
// table; -update rewrites it.
func TestNamesAreThoseOfTheTable(t *testing.T) {
	const file = "../../../python/builtin/torch/_names.py"
	want := namesFile()
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != want {
		t.Errorf("%s is not what the operator table says: go test ./capture/python/builtin -run %s -update", file, t.Name())
	}
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
