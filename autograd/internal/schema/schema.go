// Package schema parses operator signatures in the notation that PyTorch uses
// in native_functions.yaml:
//
//	add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor
//
// The engine's op table declares every operator in this notation. The
// dispatcher, the generated Go methods and the documentation use it.
package schema

import (
	"fmt"
	"strconv"
	"strings"
)

// A Schema is the signature of one overload of an operator.
type Schema struct {
	Name     string // for example "linalg_vector_norm"
	Overload string // for example "Tensor"; empty for the only or default overload
	Params   []Param
	Returns  []string // types; several for a tuple
	Fields   []string // names of the results of a named tuple, or empty
}

// A Param is one parameter.
type Param struct {
	Name     string
	Type     Type
	List     bool // Tensor[], int[2]
	Size     int  // 2 for int[2]: a single number stands for that many
	Optional bool // Tensor?: None is allowed
	Holes    bool // int?[]: elements of the list may be None
	KwOnly   bool // after the *
	Default  any  // nil, int64, float64, bool, string, []int64, []float64; meaningful when HasDefault
	// HasDefault distinguishes a default of None from no default.
	HasDefault bool
}

// Type is the type of a parameter or of the elements of a list.
type Type uint8

// The types.
const (
	Tensor Type = iota
	Scalar
	Int
	Float
	Bool
	Str
	DType
	Generator
	Index // an index expression: numbers, slices, masks, None, ...
)

var typeNames = [...]string{"Tensor", "Scalar", "int", "float", "bool", "str", "ScalarType", "Generator", "Index"}

func (t Type) String() string { return typeNames[t] }

// Parse parses a signature.
func Parse(text string) (*Schema, error) {
	head, ret, ok := strings.Cut(text, "->")
	name, params, ok2 := strings.Cut(strings.TrimSpace(head), "(")
	if !ok || !ok2 || !strings.HasSuffix(params, ")") {
		return nil, fmt.Errorf("schema %q: want name(parameters) -> results", text)
	}
	s := &Schema{}
	s.Name, s.Overload, _ = strings.Cut(name, ".")
	if err := s.parseParams(strings.TrimSuffix(params, ")")); err != nil {
		return nil, fmt.Errorf("schema %q: %w", text, err)
	}
	for _, r := range split(strings.Trim(strings.TrimSpace(ret), "()")) {
		typ, field, _ := strings.Cut(r, " ")
		s.Returns = append(s.Returns, typ)
		if field != "" {
			s.Fields = append(s.Fields, field)
		}
	}
	return s, nil
}

// MustParse is Parse for signatures in the source code; it panics on an error.
func MustParse(text string) *Schema {
	s, err := Parse(text)
	if err != nil {
		panic(err)
	}
	return s
}

func (s *Schema) parseParams(list string) error {
	kwOnly := false
	for _, text := range split(list) {
		if text == "*" {
			kwOnly = true
			continue
		}
		p, err := parseParam(text)
		if err != nil {
			return err
		}
		p.KwOnly = kwOnly
		s.Params = append(s.Params, p)
	}
	return nil
}

func parseParam(text string) (Param, error) {
	typ, rest, ok := strings.Cut(text, " ")
	if !ok {
		return Param{}, fmt.Errorf("parameter %q: want a type and a name", text)
	}
	var p Param
	var def string
	p.Name, def, p.HasDefault = strings.Cut(rest, "=")
	if typ, ok = strings.CutSuffix(typ, "?"); ok {
		p.Optional = true
	}
	if i := strings.IndexByte(typ, '['); i >= 0 && strings.HasSuffix(typ, "]") {
		p.List = true
		if n := typ[i+1 : len(typ)-1]; n != "" {
			size, err := strconv.Atoi(n)
			if err != nil {
				return p, fmt.Errorf("parameter %q: %w", text, err)
			}
			p.Size = size
		}
		typ, p.Holes = strings.CutSuffix(typ[:i], "?")
	}
	for t, name := range typeNames {
		if name == typ {
			p.Type = Type(t)
			if !p.HasDefault {
				return p, nil
			}
			var err error
			p.Default, err = parseDefault(def)
			return p, err
		}
	}
	return p, fmt.Errorf("parameter %q: unknown type %q", text, typ)
}

// reductions maps names in signatures to their numbers.
var reductions = map[string]int64{"Mean": 1, "Sum": 2}

func parseDefault(s string) (any, error) {
	switch s {
	case "None":
		return nil, nil
	case "True", "False":
		return s == "True", nil
	}
	if len(s) >= 2 && (s[0] == '\'' || s[0] == '"') {
		return s[1 : len(s)-1], nil
	}
	if list, ok := strings.CutPrefix(s, "["); ok {
		return parseList(split(strings.TrimSuffix(list, "]")))
	}
	if n, ok := reductions[s]; ok {
		return n, nil
	}
	if i, err := strconv.ParseInt(s, 10, 64); err == nil {
		return i, nil
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return nil, fmt.Errorf("default %q is not a value", s)
	}
	return f, nil
}

// parseList parses the elements of a default: integers or floats.
func parseList(items []string) (any, error) {
	ints, floats := make([]int64, len(items)), make([]float64, len(items))
	whole := true
	for i, item := range items {
		var err error
		if ints[i], err = strconv.ParseInt(item, 10, 64); err != nil {
			whole = false
		}
		if floats[i], err = strconv.ParseFloat(item, 64); err != nil {
			return nil, fmt.Errorf("default %q is not a list of numbers", items)
		}
	}
	if whole {
		return ints, nil
	}
	return floats, nil
}

// split splits at commas outside brackets.
func split(s string) []string {
	var parts []string
	depth, start := 0, 0
	for i := range len(s) + 1 {
		switch {
		case i == len(s) || s[i] == ',' && depth == 0:
			if part := strings.TrimSpace(s[start:i]); part != "" {
				parts = append(parts, part)
			}
			start = i + 1
		case s[i] == '[' || s[i] == '(':
			depth++
		case s[i] == ']' || s[i] == ')':
			depth--
		}
	}
	return parts
}

// TypeString returns the parameter's type in the notation of signatures.
func (p Param) TypeString() string {
	s := p.Type.String()
	if p.List {
		s += "["
		if p.Size > 0 {
			s += strconv.Itoa(p.Size)
		}
		s += "]"
	}
	if p.Optional {
		s += "?"
	}
	return s
}
