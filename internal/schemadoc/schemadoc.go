// Package schemadoc makes the reference of a JSON schema from the Go types that are
// written. It is for tests, which compare it with the documents.
package schemadoc

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/gradtui/gradtui/internal/generated"
)

// Check compares the reference in a document with the types of a Go file; with update
// it writes the reference instead.
func Check(t *testing.T, document, source string, update bool) {
	t.Helper()
	generated.Check(t, document, map[string]string{"reference": reference(t, source)}, update)
}

// reference is a table for each type of the schema.
func reference(t *testing.T, source string) string {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, source, nil, parser.ParseComments)
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
			t.Fatalf("%s: the comment does not say what it is", spec.Name)
		}
		fmt.Fprintf(&b, "### %s\n\n%s\n\n| field | type | meaning |\n| --- | --- | --- |\n", schemaName(spec.Name.Name), strings.ToUpper(about[:1])+about[1:])
		for _, f := range spec.Type.(*ast.StructType).Fields.List {
			var typ bytes.Buffer
			if err := printer.Fprint(&typ, set, f.Type); err != nil {
				t.Fatal(err)
			}
			if f.Names == nil {
				fmt.Fprintf(&b, "| | | and the fields of %s |\n", schemaType(typ.String()))
				continue
			}
			b.WriteString(row(t, spec.Name.Name, f, typ.String()))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// row documents one field.
func row(t *testing.T, of string, f *ast.Field, typ string) string {
	tag := reflect.StructTag(strings.Trim(f.Tag.Value, "`")).Get("json")
	name, options, _ := strings.Cut(tag, ",")
	meaning := strings.TrimSpace(f.Comment.Text())
	if meaning == "" && name != "id" && name != "node" && name != "file" {
		t.Errorf("%s.%s has no comment", of, f.Names[0])
	}
	optional := ""
	if options == "omitempty" {
		optional = "?"
	}
	return fmt.Sprintf("| `%s`%s | %s | %s |\n", name, optional, schemaType(typ), meaning)
}

// schemaTypes are the names of Go's types in the reference.
var schemaTypes = map[string]string{
	"string": "string", "bool": "bool", "int": "integer", "int64": "integer", "uint32": "integer", "uint64": "integer",
	"float64": "number", "json.RawMessage": "any",
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

var words = regexp.MustCompile(`[a-z][A-Z]`)

// schemaName turns JSONTensor and jsonTensor into "tensor", jsonEdgeDiff into "edge
// diff".
func schemaName(s string) string {
	s = regexp.MustCompile(`^(?i)json`).ReplaceAllString(s, "")
	s = words.ReplaceAllStringFunc(s, func(w string) string { return w[:1] + " " + w[1:] })
	return strings.ToLower(s)
}
