package export_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The reference of the JSON format is generated from the types that are written.

const jsonDoc = "../docs/json.md"

func TestTheJSONReferenceIsUpToDate(t *testing.T) {
	old, err := os.ReadFile(jsonDoc)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- begin reference (generated) -->\n", "<!-- end reference -->"
	before, rest, ok := strings.Cut(string(old), begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no part for the reference", jsonDoc)
	}
	doc := before + begin + "\n" + reference(t) + end + after
	if doc == string(old) {
		return
	}
	if !*update {
		t.Fatalf("%s is stale, run: go test ./export -run Reference -update\n%s", jsonDoc, cmp.Diff(string(old), doc))
	}
	if err := os.WriteFile(jsonDoc, []byte(doc), 0o644); err != nil {
		t.Fatal(err)
	}
}

// reference is a table for each type of the schema.
func reference(t *testing.T) string {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "jsonschema.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, decl := range file.Decls {
		d, ok := decl.(*ast.GenDecl)
		if !ok || d.Tok != token.TYPE {
			continue
		}
		spec := d.Specs[0].(*ast.TypeSpec)
		_, about, ok := strings.Cut(strings.Join(strings.Fields(d.Doc.Text()), " "), " is ")
		if !ok {
			t.Errorf("%s: the comment does not say what it is", spec.Name)
		}
		fmt.Fprintf(&b, "### %s\n\n%s\n\n| field | type | meaning |\n| --- | --- | --- |\n", schemaName(spec.Name.Name), strings.ToUpper(about[:1])+about[1:])
		for _, f := range spec.Type.(*ast.StructType).Fields.List {
			tag := reflect.StructTag(strings.Trim(f.Tag.Value, "`")).Get("json")
			name, options, _ := strings.Cut(tag, ",")
			var typ bytes.Buffer
			if err := printer.Fprint(&typ, set, f.Type); err != nil {
				t.Fatal(err)
			}
			meaning := strings.TrimSpace(f.Comment.Text())
			if meaning == "" && name != "id" && name != "node" && name != "file" {
				t.Errorf("%s.%s has no comment", spec.Name, f.Names[0])
			}
			if options == "omitempty" {
				name += "`?"
			} else {
				name += "`"
			}
			fmt.Fprintf(&b, "| `%s | %s | %s |\n", name, schemaType(typ.String()), meaning)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// schemaTypes are the names of Go's types in the reference.
var schemaTypes = map[string]string{
	"string": "string", "bool": "bool", "int": "integer", "uint32": "integer", "uint64": "integer", "json.RawMessage": "any",
	"graph.Pos": "integer", "graph.TensorID": "tensor number", "graph.NodeID": "node number",
	"graph.BackwardID": "pass number", "graph.ModuleID": "module number",
}

func schemaType(s string) string {
	list := strings.HasPrefix(s, "[]")
	s = strings.TrimPrefix(s, "[]")
	null := list && strings.HasPrefix(s, "*")
	s = strings.TrimPrefix(s, "*")
	name, ok := schemaTypes[s]
	if !ok {
		name = schemaName(s)
		name = "[" + name + "](#" + strings.ReplaceAll(name, " ", "-") + ")"
	}
	if null {
		name += " or null"
	}
	if list {
		name = "list of " + name
	}
	return name
}

// schemaName turns JSONTensor and jsonTensor into "tensor".
func schemaName(s string) string {
	return strings.ToLower(regexp.MustCompile(`^(?i)json`).ReplaceAllString(s, ""))
}
