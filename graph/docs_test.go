package graph_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/testing/docparts"
)

// The reference of the tape format is generated: names, types and order of the
// fields from Kinds, their meaning from the comments in the source.

const formatDoc = "../docs/internals/tape-format.md"

func TestTheFormatReferenceIsUpToDate(t *testing.T) {
	src := parseSource(t)
	docparts.Check(t, formatDoc, map[string]string{"kinds": src.kinds(t), "records": src.records(t)}, *update)
}

func TestEveryKindIsDocumented(t *testing.T) {
	name := regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)
	seen := map[string]bool{}
	for i, k := range graph.Kinds {
		if i == 0 {
			continue
		}
		if k.Kind != graph.Kind(i) || !name.MatchString(k.Name) || seen[k.Name] {
			t.Errorf("kind %d has the number %d and the name %q", i, k.Kind, k.Name)
		}
		seen[k.Name] = true
		if !strings.HasSuffix(k.Doc, ".") {
			t.Errorf("%s: the documentation is not a sentence: %q", k.Name, k.Doc)
		}
		if e := k.Kind.New(); e.Kind() != k.Kind {
			t.Errorf("%s: an event says that it is of kind %s", k.Name, e.Kind())
		}
		names := map[string]bool{}
		for _, f := range k.Kind.Fields() {
			if names[f.Name] || f.Name == "more" {
				t.Errorf("%s: two fields are called %s", k.Name, f.Name)
			}
			names[f.Name] = true
		}
	}
	if graph.KindRecordingStopped.String() != "recording-stopped" || graph.Kind(99).String() != "kind99" || graph.Kind(99).New() != nil {
		t.Error("names of kinds")
	}
}

// source holds the comments on the types of the package and on their fields.
type source struct {
	types  map[string]string
	fields map[string]map[string]string // type, field in lower case
}

func parseSource(t *testing.T) source {
	s := source{map[string]string{}, map[string]map[string]string{}}
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name(), ".go") || strings.HasSuffix(entry.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), entry.Name(), nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			if d, ok := decl.(*ast.GenDecl); ok && d.Tok == token.TYPE {
				for _, spec := range d.Specs {
					s.add(d, spec.(*ast.TypeSpec))
				}
			}
		}
	}
	return s
}

func (s source) add(d *ast.GenDecl, spec *ast.TypeSpec) {
	s.types[spec.Name.Name] = comment(spec.Doc, d.Doc)
	str, ok := spec.Type.(*ast.StructType)
	if !ok {
		return
	}
	fields := map[string]string{}
	for _, f := range str.Fields.List {
		for _, name := range f.Names {
			fields[strings.ToLower(name.Name)] = comment(f.Comment, f.Doc)
		}
	}
	s.fields[spec.Name.Name] = fields
}

func comment(groups ...*ast.CommentGroup) string {
	for _, g := range groups {
		if text := strings.Join(strings.Fields(g.Text()), " "); text != "" {
			return text
		}
	}
	return ""
}

// meaning explains a field: by its own comment, or by that on its type.
func (s source) meaning(typ reflect.Type, name string) string {
	key := strings.ReplaceAll(name, "_", "")
	if typ == reflect.TypeFor[graph.Value]() && key == "whole" {
		return "whether first holds every element; if so, the fields that follow are left out, since they can be computed"
	}
	if m := s.fields[typ.Name()][key]; m != "" {
		return m
	}
	if typ == reflect.TypeFor[graph.Grad]() && key != "shape" { // its other fields are a value's
		return s.meaning(reflect.TypeFor[graph.Value](), name)
	}
	f, ok := typ.FieldByNameFunc(func(n string) bool { return strings.ToLower(n) == key })
	if !ok {
		return ""
	}
	of := f.Type
	for of.Kind() == reflect.Slice {
		of = of.Elem()
	}
	if m := s.fields["AttrValue"][key]; m != "" && typ.Name() == "Attr" {
		return m
	}
	m := s.types[of.Name()]
	if m == "" {
		return ""
	}
	m, _, _ = strings.Cut(m, ". ")
	for _, verb := range []string{"names ", "is ", "are ", "says "} {
		if after, ok := strings.CutPrefix(m, of.Name()+" "+verb); ok {
			return strings.TrimSuffix(after, ".")
		}
	}
	return strings.TrimSuffix(m, ".")
}

func (s source) table(t *testing.T, typ reflect.Type, fields []graph.Field) string {
	if len(fields) == 0 {
		return "No fields.\n"
	}
	b := new(strings.Builder)
	b.WriteString("| field | type | meaning |\n| --- | --- | --- |\n")
	for _, f := range fields {
		m := s.meaning(typ, f.Name)
		kind := f.Type
		switch f.Type {
		case "enum", "flags":
			var names []string
			for i, n := range strings.Split(f.Note, ", ") {
				if f.Type == "flags" {
					i = 1 << i
				}
				if n != "" {
					names = append(names, fmt.Sprintf("%d %s", i, n))
				}
			}
			m += ": " + strings.Join(names, ", ")
		case "list":
			kind = "list of " + f.Note
		case "record":
			kind = f.Note
		}
		if m == "" {
			t.Errorf("%s.%s has no comment", typ.Name(), f.Name)
		}
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", f.Name, kind, strings.ReplaceAll(m, "|", "\\|"))
	}
	return b.String()
}

func (s source) kinds(t *testing.T) string {
	var b strings.Builder
	for _, k := range graph.Kinds[1:] {
		typ := reflect.TypeOf(k.Kind.New()).Elem()
		if s.types[typ.Name()] == "" {
			t.Errorf("%s has no comment", typ.Name())
		}
		_, doc, _ := strings.Cut(s.types[typ.Name()], " ")
		doc = strings.TrimPrefix(strings.TrimPrefix(doc, "says that "), "says ")
		fmt.Fprintf(&b, "### %d `%s`\n\n%s\n\n%s\n", k.Kind, k.Name, strings.ToUpper(doc[:1])+doc[1:], s.table(t, typ, k.Kind.Fields()))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// records renders the records that occur in events.
func (s source) records(t *testing.T) string {
	found := map[string]string{}
	var find func([]graph.Field)
	find = func(fields []graph.Field) {
		for _, f := range fields {
			if f.Elements != nil {
				typ := recordTypes[f.Note]
				if typ == nil {
					t.Fatalf("record %s is not known here", f.Note)
				}
				found[f.Note] = fmt.Sprintf("### %s\n\n%s\n", f.Note, s.table(t, typ, f.Elements))
				find(f.Elements)
			}
		}
	}
	for _, k := range graph.Kinds[1:] {
		find(k.Kind.Fields())
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(found)) {
		b.WriteString("\n" + found[name])
	}
	return b.String()[1:]
}

var recordTypes = map[string]reflect.Type{
	"attr":   reflect.TypeFor[graph.Attr](),
	"edge":   reflect.TypeFor[graph.Edge](),
	"grad":   reflect.TypeFor[graph.Grad](),
	"result": reflect.TypeFor[graph.Result](),
	"root":   reflect.TypeFor[graph.Root](),
	"saved":  reflect.TypeFor[graph.Saved](),
	"value":  reflect.TypeFor[graph.Value](),
}
