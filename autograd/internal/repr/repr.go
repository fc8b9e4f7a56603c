// Package repr formats tensors as PyTorch 2.6 prints them, character for
// character.
//
// It does not depend on an engine: a caller describes a tensor with a [Tensor]
// (shape, dtype name, a function that returns an element, and the values for
// the suffixes) and gets its text from [String] or [Append]. The settings of
// torch.set_printoptions are an [Options] value.
//
// Printing takes two passes over the visible elements. The first finds the
// extremes, which decide the common notation (scientific, fixed or whole
// numbers) and the common width; the second writes the elements. Elements that
// a summary omits are never read.
//
// The package also implements the parts of Python's own formatting that appear
// next to tensors: the repr of a float ([Float]), of tuples and lists of ints
// ([Tuple], [List]), torch.Size ([Size]) and format specifications such as
// ".2f" ([FormatFloat], [FormatInt], [FormatBool], and [Format] for a tensor).
//
// The rules come from torch/_tensor_str.py in PyTorch 2.6 and of CPython
// 3.13; the tests compare with texts recorded from both.
package repr

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// Tensor describes one tensor to print.
type Tensor struct {
	// Shape has one size for each dimension and is empty for a scalar. A
	// negative size counts as zero. The product of the sizes must fit in an
	// int.
	Shape []int

	// DType is PyTorch's name of the dtype without the module, such as
	// "float32". It only decides whether a dtype suffix appears; Values decides
	// how elements are formatted.
	DType string

	// Values returns the elements: [Floats], [Ints] or [Bools]. Nil means a
	// tensor without storage, which PyTorch calls a tensor on the meta device
	// and prints as "...".
	Values Values

	// GradFn is the class name of the node that computed the tensor, such as
	// "MulBackward0", or empty for a leaf.
	GradFn string

	// Tangent is the text of the tangent in forward mode, or empty.
	Tangent string

	// RequiresGrad is shown only if GradFn is empty.
	RequiresGrad bool

	// Parameter puts the line "Parameter containing:" above the text.
	Parameter bool
}

const prefix = "tensor("

// String returns repr(t), which is also str(t) and the text of print(t).
func String(t Tensor, o Options) string {
	return string(Append(nil, t, o))
}

// Append appends the text of [String] to dst.
func Append(dst []byte, t Tensor, o Options) []byte {
	if t.Parameter {
		dst = append(dst, "Parameter containing:\n"...)
	}
	start := len(dst)
	dst = append(dst, prefix...)
	dst = appendBody(dst, t, o, len(prefix))
	dst = appendSuffixes(dst, start, suffixes(t, o), o.LineWidth)
	return append(dst, ')')
}

// suffixes returns the suffixes after the elements, in PyTorch's order.
func suffixes(t Tensor, o Options) []string {
	var (
		meta  = t.Values == nil
		empty = numel(t.Shape) == 0
		list  []string
	)
	if meta {
		list = append(list, "device='meta'")
	}
	if meta || empty && len(t.Shape) != 1 || !empty && o.edge() == 0 {
		list = append(list, "size="+Tuple(t.Shape))
	}
	if !o.implied(t.DType, meta || empty) {
		list = append(list, "dtype=torch."+t.DType)
	}
	switch {
	case t.GradFn != "":
		list = append(list, "grad_fn=<"+t.GradFn+">")
	case t.RequiresGrad:
		list = append(list, "requires_grad=True")
	}
	if t.Tangent != "" {
		list = append(list, "tangent="+t.Tangent)
	}
	return list
}

// implied reports whether the dtype is not shown. Visible elements distinguish
// int64 and bool from the default dtype; without elements, only the default is
// implied.
func (o Options) implied(dtype string, noElements bool) bool {
	if dtype == o.defaultDType() {
		return true
	}
	return !noElements && (dtype == "int64" || dtype == "bool")
}

// appendSuffixes appends each suffix, on a new line if it would exceed the line
// width. The text of the tensor begins at dst[start].
func appendSuffixes(dst []byte, start int, list []string, lineWidth int) []byte {
	text := dst[start:]
	// PyTorch counts two characters too many on the line that ends the body,
	// and does not count them on a wrapped line.
	column := len(text) - (bytes.LastIndexByte(text, '\n') + 1) + 2
	for _, s := range list {
		n := utf8.RuneCountInString(s)
		if column+n+2 > lineWidth {
			dst = append(dst, ",\n"...)
			dst = pad(dst, len(prefix))
			column = len(prefix) + n
		} else {
			dst = append(dst, ", "...)
			column += n + 2
		}
		dst = append(dst, s...)
	}
	return dst
}

// pad appends n spaces, or none if n is negative.
func pad(dst []byte, n int) []byte {
	const spaces = "                                "
	for n > 0 {
		k := min(n, len(spaces))
		dst = append(dst, spaces[:k]...)
		n -= k
	}
	return dst
}

// Format is f"{t:spec}". A scalar tensor is formatted as its Python number. All
// other tensors (more dimensions, parameters, tensors without storage) accept
// only the empty spec, which gives their repr; another spec is a TypeError.
func Format(t Tensor, o Options, spec string) (string, error) {
	if len(t.Shape) == 0 && !t.Parameter && t.Values != nil {
		return t.Values.item(0, spec)
	}
	if spec == "" {
		return String(t, o), nil
	}
	class := "Tensor"
	if t.Parameter {
		class = "Parameter"
	}
	return "", &Error{
		Exception: "TypeError",
		Message:   "unsupported format string passed to " + class + ".__format__",
	}
}

// Error is a Python exception.
type Error struct {
	Exception string // class name, such as "ValueError"
	Message   string // str(exception); MemoryError has none
}

// Error returns the last line of the traceback: "ValueError: message".
func (e *Error) Error() string {
	return strings.TrimSuffix(e.Exception+": "+e.Message, ": ")
}
