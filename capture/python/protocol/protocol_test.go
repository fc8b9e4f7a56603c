package protocol

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gradtui/gradtui/internal/testing/docparts"
)

var update = flag.Bool("update", false, "rewrite generated files")

// TestGeneratedFilesAreThoseOfTheTables compares what is made from the tables; -update
// rewrites it.
func TestGeneratedFilesAreThoseOfTheTables(t *testing.T) {
	for path, groups := range map[string][]Group{
		"../../../python/builtin/torch/_protocol.py":         Builtin,
		"../../../python/src/gradtui/_recorder/_protocol.py": Recorder,
	} {
		want := pythonFile(groups)
		if *update {
			if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if have, err := os.ReadFile(path); err != nil || string(have) != want {
			t.Errorf("%s is stale, go generate ./capture/python/protocol rewrites it (%v)", path, err)
		}
	}
	docparts.Check(t, "../../../docs/internals/records.md", map[string]string{"records": recordsTable()}, *update)
}

// pythonFile is a Python file with constants.
func pythonFile(groups []Group) string {
	var b strings.Builder
	b.WriteString("\"\"\"Numbers that the Go side knows, too. Generated from its tables; do not edit:\n`go generate ./capture/python/protocol` writes it.\"\"\"\n")
	for _, g := range groups {
		fmt.Fprintf(&b, "\n# %s\n", g.Doc)
		for _, c := range g.Constants {
			fmt.Fprintf(&b, "%s = %d", c.Name, c.Value)
			if c.Doc != "" {
				fmt.Fprintf(&b, "  # %s", c.Doc)
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// recordsTable is the list of records for the document.
func recordsTable() string {
	var b strings.Builder
	b.WriteString("| record | what |\n| --- | --- |\n")
	b.WriteString("| `n` | tensor n died |\n")
	b.WriteString("| a float | the program's clock, in seconds: when what follows happened |\n")
	b.WriteString("| `(signature, stack, seq, ins, outs[, changed[, extra[, values]]])` | an operation; a float instead of `changed` is the clock |\n")
	for _, r := range Records {
		fields := ","
		if r.Fields != "" {
			fields = ", " + r.Fields
		}
		fmt.Fprintf(&b, "| `(%q%s)` | %s |\n", r.Name, fields, r.Doc)
	}
	return b.String()
}

// sent are the places where Python sends a record with a name.
var sent = regexp.MustCompile(`(?:pending\.append|\bput|_send)\(\(\s*"(\w+)"`)

func TestPythonSendsTheRecordsOfTheTable(t *testing.T) {
	known := map[string]bool{}
	for _, r := range Records {
		known[r.Name] = true
	}
	files, err := filepath.Glob("../../../python/src/gradtui/_*/*.py")
	if err != nil || len(files) < 20 {
		t.Fatal(files, err)
	}
	var all strings.Builder
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
		for _, m := range sent.FindAllStringSubmatch(string(text), -1) {
			if !known[m[1]] {
				t.Errorf("%s sends %q, which is not in the table", path, m[1])
			}
		}
	}
	for name := range known {
		if !strings.Contains(all.String(), `"`+name+`"`) {
			t.Errorf("the table has %q, which no Python file sends", name)
		}
	}
}
