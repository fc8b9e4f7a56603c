package autograd

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Conversion to other dtypes.

var castOps = []Op{
	{
		Schema: "_to_copy(Tensor self, *, ScalarType? dtype=None, str? device=None, bool non_blocking=False, str? memory_format=None) -> Tensor",
		In:     Hidden, Go: "-", Node: "ToCopyBackward0", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) {
			t := a.Self()
			d := a.DType("dtype", t.dtype)
			if a.Str("memory_format") == "contiguous" || !isDense(t.sizes, t.strides) {
				c := alloc(d, t.sizes)
				copyData(c, t)
				return a.One(c)
			}
			c := allocStridedAs(t, d)
			copyData(c, t)
			return a.One(c)
		},
		VJP: []Formula{{Input: "self", Of: func(c *Ctx) *Tensor { return c.Grad().To(c.DTypeOf("self")) }}},
	},
	{
		Schema: "to.dtype(Tensor self, ScalarType dtype, bool non_blocking=False, bool copy=False, *, str? memory_format=None) -> Tensor", In: Method, TakesNumbers: true,
		Compose: func(a *Args) ([]*Tensor, error) { return a.to(a.DType("dtype", 0)) },
	},
	{
		Schema: "to.device(Tensor self, str? device=None, ScalarType? dtype=None, bool non_blocking=False, bool copy=False, *, str? memory_format=None) -> Tensor", In: Method, TakesNumbers: true,
		Compose: func(a *Args) ([]*Tensor, error) {
			if err := checkDevice(a.Str("device")); err != nil {
				return nil, err
			}
			return a.to(a.DType("dtype", a.Self().dtype))
		},
	},
	{
		Schema: "to.other(Tensor self, Tensor other, bool non_blocking=False, bool copy=False, *, str? memory_format=None) -> Tensor", In: Method, TakesNumbers: true,
		Compose: func(a *Args) ([]*Tensor, error) { return a.to(a.Tensor("other").dtype) },
	},
	{
		Schema: "type_as(Tensor self, Tensor other) -> Tensor", In: Method,
		Compose: func(a *Args) ([]*Tensor, error) { return a.One(a.Self().To(a.Tensor("other").dtype)) },
	},
	{
		Schema: "cpu(Tensor self, *, str? memory_format=None) -> Tensor", In: Method,
		Compose: func(a *Args) ([]*Tensor, error) { return a.One(a.Self()) },
	},
	{
		Schema: "type(Tensor self, ScalarType dtype, bool non_blocking=False) -> Tensor", In: Method, Go: "-",
		Compose: func(a *Args) ([]*Tensor, error) { return a.One(a.Self().To(a.DType("dtype", 0))) },
	},
	{
		Schema: "type.string(Tensor self, str dtype, bool non_blocking=False) -> Tensor", In: Method, Go: "-",
		Compose: func(a *Args) ([]*Tensor, error) {
			d, ok := legacyType(a.Str("dtype"))
			if !ok {
				return nil, fail(ValueError, CodeDType, "invalid type: '%s'", a.Str("dtype"))
			}
			return a.One(a.Self().To(d))
		},
	},
	{Schema: "float(Tensor self, *, str? memory_format=None) -> Tensor", In: Method, Predicted: ByValues, Compose: toType(Float32)},
	{Schema: "double(Tensor self, *, str? memory_format=None) -> Tensor", In: Method, Predicted: ByValues, Compose: toType(Float64)},
	{Schema: "half(Tensor self, *, str? memory_format=None) -> Tensor", In: Method, Compose: toType(Float16)},
	{Schema: "bfloat16(Tensor self, *, str? memory_format=None) -> Tensor", In: Method, Compose: toType(BFloat16)},
	{Schema: "long(Tensor self, *, str? memory_format=None) -> Tensor", In: Method, Compose: toType(Int64)},
	{Schema: "int(Tensor self, *, str? memory_format=None) -> Tensor", In: Method, Compose: toType(Int32)},
	{Schema: "short(Tensor self, *, str? memory_format=None) -> Tensor", In: Method, Compose: toType(Int16)},
	{Schema: "char(Tensor self, *, str? memory_format=None) -> Tensor", In: Method, Compose: toType(Int8)},
	{Schema: "byte(Tensor self, *, str? memory_format=None) -> Tensor", In: Method, Compose: toType(UInt8)},
	{Schema: "bool(Tensor self, *, str? memory_format=None) -> Tensor", In: Method, Compose: toType(Bool)},
}

func toType(d DType) func(a *Args) ([]*Tensor, error) {
	return func(a *Args) ([]*Tensor, error) { return a.One(a.Self().To(d)) }
}

// to converts self to dtype d. It returns self itself if it has that dtype,
// unless an argument copy=True asks for a copy.
func (a *Args) to(d DType) ([]*Tensor, error) {
	copies := a.op.param("copy") >= 0 && a.Bool("copy")
	if d == a.Self().dtype && !copies {
		return []*Tensor{a.Self()}, nil
	}
	return Call("_to_copy", []any{a.Self()}, WithDType(d))
}

// deviceTypes lists the device types that PyTorch knows.
const deviceTypes = "cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, ve, fpga, maia, xla, lazy, vulkan, mps, meta, hpu, mtia, privateuseone"

// checkDevice accepts the CPU and returns an error for any other device.
func checkDevice(name string) *Error {
	kind, index, indexed := strings.Cut(name, ":")
	if strings.ContainsFunc(kind, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) }) || indexed && !isDeviceNumber(index) {
		return fail(RuntimeError, CodeArgument, "Invalid device string: '%s'", name)
	}
	switch kind {
	case "", "cpu":
		return nil
	case "cuda", "xpu":
		return fail(AssertionError, CodeArgument, "Torch not compiled with %s enabled", strings.ToUpper(kind))
	case "mps":
		return fail(RuntimeError, CodeArgument, "PyTorch is not linked with support for mps devices")
	}
	if slices.Contains(strings.Split(deviceTypes, ", "), kind) {
		return fail(RuntimeError, CodeUnsupported, "gradtui's built-in engine does not support the device %s", kind)
	}
	return fail(RuntimeError, CodeArgument, "Expected one of %s device type at start of device string: %s", deviceTypes, kind)
}

// isDeviceNumber reports whether a string is a number without leading zeros.
func isDeviceNumber(text string) bool {
	_, err := strconv.ParseUint(text, 10, 31)
	return err == nil && (text == "0" || text[0] != '0')
}

// legacyType parses the name of a tensor type: torch.FloatTensor.
func legacyType(name string) (DType, bool) {
	for d := range scalarTypeNames {
		if typeString(d) == name {
			return d, true
		}
	}
	return 0, false
}

// Type returns the name of the tensor's legacy type, as Tensor.type() without
// arguments: torch.FloatTensor.
func (t *Tensor) Type() string {
	if t == nil {
		return "None"
	}
	return typeString(t.dtype)
}

// PromoteTypes returns the smallest dtype that can hold the values of both, as
// torch.promote_types does.
func PromoteTypes(a, b DType) DType { return promote(a, b) }

// CanCast reports whether results of dtype from may be stored in a tensor of
// dtype to, as torch.can_cast does.
func CanCast(from, to DType) bool { return canCast(from, to) }

// ResultType returns the dtype of an operator's result on two operands, as
// torch.result_type does. Operands are tensors or Go numbers; others are an
// error.
func ResultType(a, b any) (DType, error) {
	var ts [2]*Tensor
	for i, x := range []any{a, b} {
		if t, ok := x.(*Tensor); ok {
			if err := t.usable("result_type"); err != nil {
				return 0, err
			}
			ts[i] = t
			continue
		}
		s, ok := toScalar(x)
		if !ok {
			return 0, fail(TypeError, CodeArgument, "result_type(): argument %d must be Tensor or Number, not %s", i+1, pythonTypeOf(x))
		}
		ts[i] = numberTensor(s)
	}
	return resultType(ts[0], ts[1]), nil
}
