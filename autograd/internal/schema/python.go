package schema

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A Signature is one signature of a Python function of PyTorch. Messages about
// wrong arguments are made from signatures, so they list everything that
// PyTorch's parser knows, even if the engine does not support it.
type Signature struct {
	Name       string // name of the function in messages
	Args       []Argument
	Deprecated bool // not shown in messages
	Written    bool // the function is written in Python, which does not check types
	Least      int  // number of required arguments
	Positional int  // number of arguments that may be given by position
}

// An Argument is one argument of a Signature.
type Argument struct {
	Name       string
	Type       string // in the notation of schemas: Tensor, int, SymInt, ScalarType
	List       bool
	Size       int  // for example 2 for int[2]
	None       bool // None is allowed
	KwOnly     bool
	HasDefault bool
	Default    string
}

//go:embed signatures.txt
var signatureText string

// signatureIndex maps place.name to lines of signatures.txt.
var signatureIndex = sync.OnceValue(func() map[string][]string {
	index := map[string][]string{}
	for line := range strings.Lines(signatureText) {
		line = strings.TrimSpace(line)
		key := strings.TrimPrefix(line, "def ")
		key = key[:strings.IndexAny(key, "( ")]
		index[key] = append(index[key], line)
	}
	return index
})

// Python returns the signatures of a function in a place: torch, Tensor, F,
// linalg, special. Signatures of methods do not include self. If a function is
// written in Python and calls another function of the same name, its own
// signature comes first.
func Python(place, name string) []Signature {
	lines := signatureIndex()[place+"."+name]
	if len(lines) == 1 {
		if _, other, ok := strings.Cut(lines[0], " = "); ok {
			place, name, _ = strings.Cut(other, ".")
			return Python(place, name)
		}
	}
	list := make([]Signature, len(lines))
	for i, line := range lines {
		list[i] = parseSignature(line)
	}
	slices.SortStableFunc(list, func(a, b Signature) int { return a.rank() - b.rank() })
	return list
}

// rank orders the signatures of a function in the order in which they are
// tried.
func (s *Signature) rank() int {
	switch {
	case s.Written:
		return 0
	case s.Deprecated:
		return 2
	}
	return 1
}

func parseSignature(line string) Signature {
	line, written := strings.CutPrefix(line, "def ")
	line, deprecated := strings.CutSuffix(line, "|deprecated")
	head, rest, _ := strings.Cut(line, "(")
	s := Signature{Name: head[strings.IndexByte(head, '.')+1:], Deprecated: deprecated, Written: written}
	kwOnly := false
	for _, text := range split(strings.TrimSuffix(rest, ")")) {
		if text == "*" {
			kwOnly = true
			continue
		}
		var a Argument
		if !written {
			var typ string
			typ, text, _ = strings.Cut(text, " ")
			a.setType(typ)
		}
		a.KwOnly = kwOnly
		a.Name, a.Default, a.HasDefault = strings.Cut(text, "=")
		a.None = a.None || a.Default == "None" || written
		s.add(a)
	}
	if written && strings.HasPrefix(head, "Tensor.") {
		s.Name = head
	}
	return s
}

func (s *Signature) add(a Argument) {
	s.Args = append(s.Args, a)
	if !a.HasDefault {
		s.Least++
	}
	if !a.KwOnly {
		s.Positional++
	}
}

// TakeOut adds the argument out.
func (s *Signature) TakeOut() {
	s.add(Argument{Name: "out", Type: "Tensor", None: true, KwOnly: true, HasDefault: true, Default: "None"})
}

func (a *Argument) setType(typ string) {
	typ, a.None = strings.CutSuffix(typ, "?")
	if i := strings.IndexByte(typ, '['); i >= 0 {
		a.List = true
		a.Size, _ = strconv.Atoi(strings.Trim(typ[i:], "[]"))
		typ = typ[:i]
	}
	a.Type = typ
}

// Signature returns the Python signature of an operator that PyTorch does not
// list: a method omits self, a function calls it input.
func (s *Schema) Signature(name string, method bool) Signature {
	sig := Signature{Name: name}
	for _, p := range s.Params {
		if p.Name == "self" && p.Type == Tensor {
			if method {
				continue
			}
			p.Name = "input"
		}
		a := Argument{Name: p.Name, Type: p.Type.String(), List: p.List, Size: p.Size, None: p.Optional, KwOnly: p.KwOnly, HasDefault: p.HasDefault}
		if p.HasDefault {
			a.Default = defaultText(p.Default)
			a.None = a.None || p.Default == nil
		}
		sig.add(a)
	}
	return sig
}

func defaultText(v any) string {
	switch v := v.(type) {
	case bool:
		if v {
			return "True"
		}
		return "False"
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case string:
		return `"` + v + `"`
	case []int64:
		parts := make([]string, len(v))
		for i, x := range v {
			parts[i] = strconv.FormatInt(x, 10)
		}
		return "{" + strings.Join(parts, ",") + "}"
	}
	return "None"
}

// Most returns the largest number of arguments.
func (s *Signature) Most() int { return len(s.Args) }

// String formats the arguments as PyTorch's messages do.
func (s *Signature) String() string {
	var b strings.Builder
	b.WriteByte('(')
	star := false
	for i := range s.Args {
		a := &s.Args[i]
		if i > 0 {
			b.WriteString(", ")
		}
		if a.KwOnly && !star {
			star = true
			b.WriteString("*, ")
		}
		b.WriteString(a.TypeName() + " " + a.Name)
		if a.HasDefault {
			b.WriteString(" = " + a.Default)
		}
	}
	b.WriteByte(')')
	return b.String()
}

// TypeName returns the name of the argument's type in PyTorch's messages.
func (a *Argument) TypeName() string {
	names, plural := typeNamesInMessages[a.Type], "s"
	if names == "" {
		names = a.Type
	}
	if !a.List {
		return names
	}
	if a.Type == "Scalar" {
		names = "Scalar"
	}
	return "tuple of " + names + plural
}

var typeNamesInMessages = map[string]string{
	"Scalar": "Number", "SymInt": "int", "ScalarType": "torch.dtype", "Layout": "torch.layout", "Device": "torch.device",
	"MemoryFormat": "torch.memory_format", "Generator": "torch.Generator", "Dimname": "name", "Storage": "torch.Storage",
}
