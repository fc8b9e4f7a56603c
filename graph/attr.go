package graph

import (
	"strconv"
	"strings"
)

// Attr is a named argument that is not a tensor: alpha=1, dim=(0, 1).
type Attr struct {
	Name StringID
	AttrValue
}

// AttrValue is the value of an Attr.
type AttrValue struct {
	Type   AttrType
	Ints   []int64   // of the types bool (0 or 1), int, uint, ints and uints
	Floats []float64 // of the types float and floats
	Text   string    // of the type text
}

// AttrType says what an AttrValue holds.
type AttrType uint8

// The types of attributes.
const (
	AttrNone AttrType = iota
	AttrBool
	AttrInt
	AttrUint // an integer that PyTorch shows as unsigned 64-bit: a dim of -1 reads 18446744073709551615
	AttrFloat
	AttrText
	AttrInts
	AttrUints
	AttrFloats
)

var attrNames = []string{"none", "bool", "int", "uint", "float", "text", "ints", "uints", "floats"}

func (a *Attr) fields(c *codec) {
	if c.mode == decoding {
		a.AttrValue = AttrValue{Ints: a.Ints[:0], Floats: a.Floats[:0]}
	}
	c.str("name", &a.Name)
	enum(c, "type", &a.Type, attrNames)
	if c.mode == describing {
		ints(c, "ints", &a.Ints)
		reals(c, "floats", Float64, &a.Floats)
		c.text("text", &a.Text)
		return
	}
	switch a.Type {
	case AttrBool, AttrInt, AttrUint, AttrInts, AttrUints:
		ints(c, "ints", &a.Ints)
	case AttrFloat, AttrFloats:
		reals(c, "floats", Float64, &a.Floats)
	case AttrText:
		c.text("text", &a.Text)
	}
}

// String writes the value as Python does: True, 1, 0.5, 'mean', (0, 1), (3,).
func (v AttrValue) String() string {
	switch v.Type {
	case AttrNone:
		return "None"
	case AttrText:
		return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(v.Text) + "'"
	case AttrBool:
		if len(v.Ints) == 1 && v.Ints[0] != 0 {
			return "True"
		}
		return "False"
	case AttrInts, AttrUints, AttrFloats:
		parts := v.elements()
		if len(parts) == 1 {
			return "(" + parts[0] + ",)"
		}
		return "(" + strings.Join(parts, ", ") + ")"
	default:
		return strings.Join(v.elements(), ", ")
	}
}

func (v AttrValue) elements() []string {
	var parts []string
	for _, i := range v.Ints {
		if v.Type == AttrUint || v.Type == AttrUints {
			parts = append(parts, strconv.FormatUint(uint64(i), 10))
		} else {
			parts = append(parts, strconv.FormatInt(i, 10))
		}
	}
	for _, f := range v.Floats {
		parts = append(parts, pythonFloat(f))
	}
	return parts
}

// pythonFloat writes a float as Python's repr does: 1.0, 0.1, 1e-05, inf.
func pythonFloat(f float64) string {
	s := strconv.FormatFloat(f, 'g', -1, 64)
	switch s {
	case "+Inf":
		return "inf"
	case "-Inf":
		return "-inf"
	case "NaN":
		return "nan"
	}
	mantissa, exp, scientific := strings.Cut(strconv.FormatFloat(f, 'e', -1, 64), "e")
	e, _ := strconv.Atoi(exp)
	if !scientific || e >= -4 && e < 16 {
		s = strconv.FormatFloat(f, 'f', -1, 64)
		if !strings.Contains(s, ".") {
			s += ".0"
		}
		return s
	}
	return mantissa + "e" + exp
}
