package protocol

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gradtui/gradtui/autograd"
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
	b.WriteString("\"\"\"Constants that the Go side knows, too. Generated from its tables; do not edit:\n`go generate ./capture/python/protocol` writes it.\"\"\"\n")
	for _, g := range groups {
		fmt.Fprintf(&b, "\n# %s\n", g.Doc)
		for _, c := range g.Constants {
			doc := ""
			if c.Doc != "" {
				doc = "  # " + c.Doc
			}
			switch v := reflect.ValueOf(c.Value); v.Kind() {
			case reflect.Slice:
				fmt.Fprintf(&b, "%s = (%s\n", c.Name, doc)
				for i := range v.Len() {
					fmt.Fprintf(&b, "    %q,\n", v.Index(i))
				}
				b.WriteString(")\n")
			case reflect.String:
				fmt.Fprintf(&b, "%s = %q%s\n", c.Name, v, doc)
			default:
				fmt.Fprintf(&b, "%s = %d%s\n", c.Name, c.Value, doc)
			}
		}
	}
	return b.String()
}

func TestTheTableHasEveryExceptionOfTheEngine(t *testing.T) {
	parsed, err := parser.ParseFile(token.NewFileSet(), "../../../autograd/errors.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	ast.Inspect(parsed, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if class, ok := spec.Type.(*ast.Ident); ok && class.Name == "ErrorType" {
			found++
			name, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			if err != nil || !slices.Contains(Exceptions, autograd.ErrorType(name)) {
				t.Errorf("the table lacks %s (%v)", name, err)
			}
		}
		return false
	})
	if found != len(Exceptions) {
		t.Errorf("the engine has %d exceptions, the table %d", found, len(Exceptions))
	}
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
