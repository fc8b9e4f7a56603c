package schemadoc

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/gradtui/gradtui/internal/jsontext"
)

// A Schema is the JSON Schema of what a command writes with --format json.
type Schema struct {
	Command string
	Sources []string // the Go files with the types
	Root    string   // the type of the whole document, as the reference calls it
	List    bool     // a document may also be a list of two or more of them
}

// Check compares the file with the schema in a folder with the types; with update it
// writes the file instead.
func (s Schema) Check(t *testing.T, folder string, update bool) {
	t.Helper()
	path := filepath.Join(folder, s.file())
	want := s.text(t)
	if update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(got), want); diff != "" {
		t.Errorf("%s is stale, go test . -run %s -update rewrites it\n%s", path, t.Name(), diff)
	}
}

// whole is the schema of the document.
func (s Schema) whole() string {
	root := fmt.Sprintf("\"$ref\": %q", definition(s.Root))
	if !s.List {
		return root
	}
	return fmt.Sprintf(`"oneOf": [
    {%s},
    {"type": "array", "description": "of several programs or tapes", "minItems": 2, "items": {%s}}
  ]`, root, root)
}

func (s Schema) file() string { return s.Command + ".schema.json" }

// text is the schema, with one field to a line.
func (s Schema) text(t *testing.T) string {
	all := parse(t, s.Sources)
	var b strings.Builder
	fmt.Fprintf(&b, `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "https://raw.githubusercontent.com/gradtui/gradtui/main/docs/use/%s",
  "title": "gradtui %s --format json",
  "description": "New fields may appear at any time; readers skip what they do not know.",
  %s,
  "$defs": {`, s.file(), s.Command, s.whole())
	separator := "\n"
	used := reached(t, all, s.Root)
	for _, o := range all {
		if !used[o.name] {
			continue
		}
		var required, properties []string
		for _, f := range flat(t, all, o) {
			if !f.optional {
				required = append(required, f.name)
			}
			properties = append(properties, fmt.Sprintf("        %q: %s", f.name, marshal(t, valueOf(f))))
		}
		fmt.Fprintf(&b, "%s    %q: {\n      %s,\n      \"description\": %s,\n", separator, key(o.name), isObject, marshal(t, o.about))
		if len(required) > 0 {
			fmt.Fprintf(&b, "      \"required\": %s,\n", marshal(t, required))
		}
		fmt.Fprintf(&b, "      \"properties\": {\n%s\n      }\n    }", strings.Join(properties, ",\n"))
		separator = ",\n"
	}
	b.WriteString("\n  }\n}\n")
	return b.String()
}

func marshal(t *testing.T, v any) string {
	t.Helper()
	text, err := jsontext.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// find is the object that a type of Go is.
func find(t *testing.T, all []object, typ string) object {
	t.Helper()
	name := schemaName(strings.TrimLeft(typ, "[]*"))
	i := slices.IndexFunc(all, func(o object) bool { return o.name == name })
	if i < 0 {
		t.Fatalf("there is no type %s", name)
	}
	return all[i]
}

// flat are the fields of an object as they are written.
func flat(t *testing.T, all []object, o object) (fields []field) {
	for _, f := range o.fields {
		if f.name == "" {
			fields = append(fields, flat(t, all, find(t, all, f.typ))...)
			continue
		}
		fields = append(fields, f)
	}
	return fields
}

// reached are the names of the objects that a document may hold.
func reached(t *testing.T, all []object, root string) map[string]bool {
	names := map[string]bool{root: true}
	for open := []object{find(t, all, root)}; len(open) > 0; open = open[1:] {
		for _, f := range flat(t, all, open[0]) {
			if _, plain := schemaTypes[strings.TrimLeft(f.typ, "[]*")]; plain {
				continue
			}
			if o := find(t, all, f.typ); !names[o.name] {
				names[o.name] = true
				open = append(open, o)
			}
		}
	}
	return names
}

// definition refers to an object.
func definition(name string) string { return "#/$defs/" + key(name) }

func key(name string) string { return strings.ReplaceAll(name, " ", "_") }

// A value is what a schema says of a value.
type value struct {
	Ref         string            `json:"$ref,omitempty"`
	Type        string            `json:"type,omitempty"`
	Const       json.RawMessage   `json:"const,omitempty"`
	Enum        []json.RawMessage `json:"enum,omitempty"`
	Pattern     string            `json:"pattern,omitempty"`
	Minimum     *int              `json:"minimum,omitempty"`
	OneOf       []value           `json:"oneOf,omitempty"`
	Items       *value            `json:"items,omitempty"`
	Description string            `json:"description,omitempty"`
}

// What the comment of a field says of its values.
var (
	matches = regexp.MustCompile(`matches (\^\S+\$)$`)
	least   = regexp.MustCompile(`^at least (\d+)|^counts from (1)`)
	numbers = regexp.MustCompile(`((?:\d+, )*\d+ or \d+)$`)
	always  = regexp.MustCompile(`^always ("[^"]*"|true)|^of this schema: (\d+)`)
	choices = regexp.MustCompile(`^[^"]*((?:"[^"]*", )*"[^"]*" or "[^"]*")$`)
	choice  = regexp.MustCompile(`"[^"]*"`)
	number  = regexp.MustCompile(`\d+`)
)

// valueOf says what the value of a field is.
func valueOf(f field) value {
	if m := always.FindStringSubmatch(f.meaning); m != nil {
		v := value{Const: json.RawMessage(m[1] + m[2])}
		if m[0] != f.meaning {
			v.Description = f.meaning
		}
		return v
	}
	v := typeOf(f.typ)
	v.Description = f.meaning
	if m := choices.FindStringSubmatch(f.meaning); m != nil && v.Type == "string" {
		v.Type = ""
		for _, c := range choice.FindAllString(m[1], -1) {
			v.Enum = append(v.Enum, json.RawMessage(c))
		}
	}
	if m := numbers.FindStringSubmatch(f.meaning); m != nil && v.Type == "integer" {
		v.Type = ""
		for _, n := range number.FindAllString(m[1], -1) {
			v.Enum = append(v.Enum, json.RawMessage(n))
		}
	}
	if m := matches.FindStringSubmatch(f.meaning); m != nil {
		v.Pattern = m[1]
	}
	if m := least.FindStringSubmatch(f.meaning); m != nil {
		v.Minimum = new(int)
		fmt.Sscan(m[1]+m[2], v.Minimum)
	}
	if strings.HasPrefix(f.typ, "*") && !f.optional {
		about := v.Description
		v.Description = ""
		v = value{OneOf: []value{v, {Type: "null"}}, Description: about}
	}
	return v
}

// typeOf says what values of a type of Go are.
func typeOf(typ string) value {
	if item, ok := strings.CutPrefix(typ, "[]"); ok {
		items := typeOf(strings.TrimPrefix(item, "*"))
		if strings.HasPrefix(item, "*") {
			items = value{OneOf: []value{items, {Type: "null"}}}
		}
		return value{Type: "array", Items: &items}
	}
	typ = strings.TrimPrefix(typ, "*")
	name, plain := schemaTypes[typ]
	switch {
	case !plain:
		return value{Ref: definition(schemaName(typ))}
	case name == "any":
		return value{}
	case name == "bool":
		return value{Type: "boolean"}
	case strings.HasPrefix(typ, "uint"), strings.HasPrefix(typ, "graph."):
		return value{Type: "integer", Minimum: new(int)}
	}
	return value{Type: name}
}

// isObject begins the schema of each object in all schemas of docs.
const isObject = `"type": "object"`

// Validate checks a document with a schema of docs, and that it has no fields that the
// schema does not name.
func Validate(schema, document string) error {
	text, err := os.ReadFile(schema)
	if err != nil {
		return err
	}
	strict, err := jsonschema.UnmarshalJSON(strings.NewReader(strings.ReplaceAll(string(text), isObject, isObject+`, "additionalProperties": false`)))
	if err != nil {
		return err
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(document))
	if err != nil {
		return err
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("strict.json", strict); err != nil {
		return err
	}
	s, err := c.Compile("strict.json")
	if err != nil {
		return err
	}
	return s.Validate(doc)
}
