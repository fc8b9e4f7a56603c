// Package schemadoc makes the reference of a JSON document and its JSON Schema from the Go
// types that are written. It is for tests, which compare them with the files in docs, and
// what commands write with the schema.
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

	"github.com/gradtui/gradtui/internal/testing/docparts"
)

// Check compares the reference in a document with the types of Go files; with update
// it writes the reference instead.
func Check(t *testing.T, document string, sources []string, update bool) {
	t.Helper()
	docparts.Check(t, document, map[string]string{"reference": reference(t, sources)}, update)
}

// reference is a table for each type of the schema.
func reference(t *testing.T, sources []string) string {
	var b strings.Builder
	for _, o := range parse(t, sources) {
		fmt.Fprintf(&b, "### %s\n\n%s\n\n| field | type | meaning |\n| --- | --- | --- |\n", o.name, o.about)
		for _, f := range o.fields {
			if f.name == "" {
				fmt.Fprintf(&b, "| | | and the fields of %s |\n", schemaType(f.typ))
				continue
			}
			optional := ""
			if f.optional {
				optional = "?"
			}
			fmt.Fprintf(&b, "| `%s`%s | %s | %s |\n", f.name, optional, schemaType(f.typ), f.meaning)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// An object is a type of a schema.
type object struct {
	name, about string
	fields      []field
}

// A field is a field of an object.
type field struct {
	name     string // "": the fields of the type are fields of the object
	typ      string // in Go
	meaning  string
	optional bool // left out when it is zero, false or empty
}

// parse reads the types of Go files.
func parse(t *testing.T, sources []string) (all []object) {
	t.Helper()
	for _, source := range sources {
		all = append(all, parseFile(t, source)...)
	}
	return all
}

func parseFile(t *testing.T, source string) (all []object) {
	t.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, source, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
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
		o := object{name: schemaName(spec.Name.Name), about: strings.ToUpper(about[:1]) + about[1:]}
		for _, f := range spec.Type.(*ast.StructType).Fields.List {
			var typ bytes.Buffer
			if err := printer.Fprint(&typ, set, f.Type); err != nil {
				t.Fatal(err)
			}
			if f.Names == nil {
				o.fields = append(o.fields, field{typ: typ.String()})
				continue
			}
			o.fields = append(o.fields, named(t, spec.Name.Name, f, typ.String()))
		}
		all = append(all, o)
	}
	return all
}

// named is a field with a name.
func named(t *testing.T, of string, f *ast.Field, typ string) field {
	name, options, _ := strings.Cut(reflect.StructTag(strings.Trim(f.Tag.Value, "`")).Get("json"), ",")
	meaning := strings.TrimSpace(f.Comment.Text())
	if meaning == "" && name != "id" && name != "node" && name != "file" {
		t.Errorf("%s.%s has no comment", of, f.Names[0])
	}
	return field{name, typ, meaning, options == "omitempty"}
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

// schemaName turns EdgeDiff into "edge diff".
func schemaName(s string) string {
	s = words.ReplaceAllStringFunc(s, func(w string) string { return w[:1] + " " + w[1:] })
	return strings.ToLower(s)
}
