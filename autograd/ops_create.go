package autograd

import (
	"slices"
)

// createOps make tensors of a given shape and content.
var createOps = []Op{
	{
		Schema: "zeros(int[] size, *, ScalarType? dtype=None, str? device=None, bool pin_memory=False, bool requires_grad=False) -> Tensor", Predicted: ByValues,
		Forward: func(a *Args) ([]*Tensor, error) { return a.filled(a.Ints("size"), defaultDType, IntScalar(0)) },
	},
	{
		Schema: "ones(int[] size, *, ScalarType? dtype=None, str? device=None, bool pin_memory=False, bool requires_grad=False) -> Tensor", Predicted: ByValues,
		Forward: func(a *Args) ([]*Tensor, error) { return a.filled(a.Ints("size"), defaultDType, IntScalar(1)) },
	},
	{
		// The memory is zeros, where PyTorch leaves what was there.
		Schema: "empty(int[] size, *, ScalarType? dtype=None, str? device=None, bool pin_memory=False, bool requires_grad=False, str? memory_format=None) -> Tensor", Predicted: ByValues,
		Forward: func(a *Args) ([]*Tensor, error) { return a.filled(a.Ints("size"), defaultDType, IntScalar(0)) },
	},
	{
		Schema: "empty_strided(int[] size, int[] stride, *, ScalarType? dtype=None, str? device=None, bool pin_memory=False, bool requires_grad=False) -> Tensor",
		Forward: func(a *Args) ([]*Tensor, error) {
			size, stride := a.Ints("size"), a.Ints("stride")
			if len(size) != len(stride) {
				return nil, fail(RuntimeError, CodeShape, "dimensionality of sizes (%d) must match dimensionality of strides (%d)", len(size), len(stride))
			}
			if err := checkSizes(size); err != nil {
				return nil, err
			}
			if slices.ContainsFunc(stride, func(s int) bool { return s < 0 }) {
				return nil, fail(RuntimeError, CodeShape, "Storage size calculation overflowed with sizes=%s and strides=%s", shapeText(size), shapeText(stride))
			}
			return a.created(allocExtent(a.DType("dtype", defaultDType), size, stride))
		},
	},
	{
		Schema: "full(int[] size, Scalar fill_value, *, ScalarType? dtype=None, str? device=None, bool pin_memory=False, bool requires_grad=False) -> Tensor", Predicted: ByValues,
		Forward: func(a *Args) ([]*Tensor, error) {
			x := a.Scalar("fill_value")
			return a.filled(a.Ints("size"), x.tensorType(), x)
		},
	},
	{
		Schema: "zeros_like(Tensor self, *, ScalarType? dtype=None, str? device=None, bool pin_memory=False, str? memory_format=None, bool requires_grad=False) -> Tensor",
		In:     Torch, Go: "ZerosLike", Predicted: ByValues,
		Forward: func(a *Args) ([]*Tensor, error) { return a.filledLike(IntScalar(0)) },
	},
	{
		Schema: "ones_like(Tensor self, *, ScalarType? dtype=None, str? device=None, bool pin_memory=False, str? memory_format=None, bool requires_grad=False) -> Tensor",
		In:     Torch, Go: "OnesLike", Predicted: ByValues,
		Forward: func(a *Args) ([]*Tensor, error) { return a.filledLike(IntScalar(1)) },
	},
	{
		Schema: "empty_like(Tensor self, *, ScalarType? dtype=None, str? device=None, bool pin_memory=False, str? memory_format=None, bool requires_grad=False) -> Tensor",
		In:     Torch, Go: "EmptyLike", Predicted: ByValues,
		Forward: func(a *Args) ([]*Tensor, error) { return a.filledLike(IntScalar(0)) },
	},
	{
		Schema: "full_like(Tensor self, Scalar fill_value, *, ScalarType? dtype=None, str? device=None, bool pin_memory=False, str? memory_format=None, bool requires_grad=False) -> Tensor",
		In:     Torch, Go: "FullLike", Predicted: ByValues,
		Forward: func(a *Args) ([]*Tensor, error) { return a.filledLike(a.Scalar("fill_value")) },
	},
	{
		Schema: "new_zeros(Tensor self, int[] size, *, ScalarType? dtype=None, str? device=None, bool pin_memory=False, bool requires_grad=False) -> Tensor", In: Method, Predicted: ByValues,
		Forward: func(a *Args) ([]*Tensor, error) { return a.filled(a.Ints("size"), a.Self().dtype, IntScalar(0)) },
	},
	{
		Schema: "new_ones(Tensor self, int[] size, *, ScalarType? dtype=None, str? device=None, bool pin_memory=False, bool requires_grad=False) -> Tensor", In: Method, Predicted: ByValues,
		Forward: func(a *Args) ([]*Tensor, error) { return a.filled(a.Ints("size"), a.Self().dtype, IntScalar(1)) },
	},
	{
		Schema: "new_empty(Tensor self, int[] size, *, ScalarType? dtype=None, str? device=None, bool pin_memory=False, bool requires_grad=False) -> Tensor", In: Method, Predicted: ByValues,
		Forward: func(a *Args) ([]*Tensor, error) { return a.filled(a.Ints("size"), a.Self().dtype, IntScalar(0)) },
	},
	{
		Schema: "new_full(Tensor self, int[] size, Scalar fill_value, *, ScalarType? dtype=None, str? device=None, bool pin_memory=False, bool requires_grad=False) -> Tensor", In: Method, Predicted: ByValues,
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.filled(a.Ints("size"), a.Self().dtype, a.Scalar("fill_value"))
		},
	},
	{
		Schema: "new_tensor(Tensor self, Index data, *, ScalarType? dtype=None, str? device=None, bool requires_grad=False) -> Tensor", In: Method,
		Compose: func(a *Args) ([]*Tensor, error) {
			d := a.DType("dtype", a.Self().dtype)
			if src, ok := a.value("data").x.(*Tensor); ok && src != nil {
				t, err := copyConstruct("tensor.new_tensor", src, d, a.Bool("requires_grad"))
				if err != nil {
					return nil, err
				}
				return a.One(t)
			}
			return a.built(a.value("data").x, d, a.Bool("requires_grad"))
		},
	},
	{
		Schema: "tensor(Index data, *, ScalarType? dtype=None, str? device=None, bool requires_grad=False, bool pin_memory=False) -> Tensor", Go: "-",
		Compose: func(a *Args) ([]*Tensor, error) {
			return a.built(a.value("data").x, a.DType("dtype", 0), a.Bool("requires_grad"))
		},
	},
	{
		Schema: "as_tensor(Index data, ScalarType? dtype=None, str? device=None) -> Tensor",
		Compose: func(a *Args) ([]*Tensor, error) {
			if t, ok := a.value("data").x.(*Tensor); ok {
				return a.One(t.To(a.DType("dtype", t.DType())))
			}
			return a.built(a.value("data").x, a.DType("dtype", 0), false)
		},
	},
	{
		Schema: "asarray(Index obj, *, ScalarType? dtype=None, str? device=None, bool? copy=None, bool requires_grad=False) -> Tensor",
		Compose: func(a *Args) ([]*Tensor, error) {
			t, ok := a.value("obj").x.(*Tensor)
			if !ok {
				return a.built(a.value("obj").x, a.DType("dtype", 0), a.Bool("requires_grad"))
			}
			return a.One(t.Detach().To(a.DType("dtype", t.DType()), Kw("copy", a.Bool("copy"))).RequiresGrad_(a.Bool("requires_grad")))
		},
	},
	{
		Schema:  "scalar_tensor(Scalar s, *, ScalarType? dtype=None, str? device=None, bool pin_memory=False, bool requires_grad=False) -> Tensor",
		Forward: func(a *Args) ([]*Tensor, error) { return a.filled(nil, defaultDType, a.Scalar("s")) },
	},
	{
		Schema: "eye(int n, *, ScalarType? dtype=None, str? device=None, bool pin_memory=False, bool requires_grad=False) -> Tensor", Predicted: ByValues,
		Forward: func(a *Args) ([]*Tensor, error) { return eye(a, a.Int("n"), a.Int("n")) },
	},
	{
		Schema: "eye.m(int n, int m, *, ScalarType? dtype=None, str? device=None, bool pin_memory=False, bool requires_grad=False) -> Tensor", Predicted: ByValues,
		Forward: func(a *Args) ([]*Tensor, error) { return eye(a, a.Int("n"), a.Int("m")) },
	},
	{
		Schema:  "tril_indices(int row, int col, int offset=0, *, ScalarType? dtype=None, str? device=None) -> Tensor",
		Forward: func(a *Args) ([]*Tensor, error) { return triangleIndices(a, false) },
	},
	{
		Schema:  "triu_indices(int row, int col, int offset=0, *, ScalarType? dtype=None, str? device=None) -> Tensor",
		Forward: func(a *Args) ([]*Tensor, error) { return triangleIndices(a, true) },
	},
}

// tensorType returns the dtype that a factory chooses for a number: the default
// dtype for floats.
func (s Scalar) tensorType() DType {
	if s.IsFloat() {
		return defaultDType
	}
	return s.dtype()
}

// filled makes the result of a factory with dtype and requires_grad from the
// arguments.
func (a *Args) filled(sizes []int, d DType, x Scalar) ([]*Tensor, error) {
	if err := checkSizes(sizes); err != nil {
		return nil, err
	}
	d = a.DType("dtype", d)
	if err := checkFits(x, d); err != nil {
		return nil, err
	}
	t := alloc(d, sizes)
	if x.Float() != 0 {
		t.fill(asDType(x, t.dtype))
	}
	return a.created(t)
}

// filledLike is filled, with self's shape and layout.
func (a *Args) filledLike(x Scalar) ([]*Tensor, error) {
	t := a.Self()
	d := a.DType("dtype", t.dtype)
	if err := checkFits(x, d); err != nil {
		return nil, err
	}
	var out *Tensor
	if format := a.Str("memory_format"); format == "contiguous" {
		out = alloc(d, t.sizes)
	} else {
		out = allocPreservingAs(t, d)
	}
	if x.Float() != 0 {
		out.fill(asDType(x, d))
	}
	return a.created(out)
}

// created sets requires_grad of a new tensor from the arguments.
func (a *Args) created(t *Tensor) ([]*Tensor, error) {
	if err := a.checkDevice(); err != nil {
		return nil, err
	}
	if err := t.factoryGrad(a.Bool("requires_grad")); err != nil {
		return nil, err
	}
	return a.One(t)
}

// checkDevice returns an error for any device but the CPU.
func (a *Args) checkDevice() *Error {
	if a.op.param("device") < 0 {
		return nil
	}
	return checkDevice(a.Str("device"))
}

// built runs New on the data and options of a call.
func (a *Args) built(data any, d DType, requiresGrad bool) ([]*Tensor, error) {
	if err := a.checkDevice(); err != nil {
		return nil, err
	}
	opts := []Option{Kw("requires_grad", requiresGrad)}
	if d != 0 {
		opts = append(opts, WithDType(d))
	}
	return a.One(New(data, opts...))
}

func checkSizes(sizes []int) *Error {
	for _, s := range sizes {
		if s < 0 {
			return fail(RuntimeError, CodeShape, "Trying to create tensor with negative dimension %d: %s", s, shapeText(sizes))
		}
	}
	return nil
}

func eye(a *Args, rows, columns int) ([]*Tensor, error) {
	for i, n := range [2]int{rows, columns} {
		if n < 0 {
			return nil, fail(RuntimeError, CodeShape, "%s must be greater or equal to 0, got %d", [2]string{"n", "m"}[i], n)
		}
	}
	t := alloc(a.DType("dtype", defaultDType), []int{rows, columns})
	for i := range min(rows, columns) {
		t.setElement(i*(columns+1), IntScalar(1))
	}
	return a.created(t)
}

// triangleIndices returns the coordinates of the lower or upper triangle of a
// matrix: a row of row indices and a row of column indices.
func triangleIndices(a *Args, upper bool) ([]*Tensor, error) {
	rows, columns := a.Int("row"), a.Int("col")
	switch {
	case rows < 0:
		return nil, fail(RuntimeError, CodeShape, "row must be non-negative, got%d", rows)
	case columns < 0:
		return nil, fail(RuntimeError, CodeShape, "col must be non-negative, got%d", columns)
	}
	k := min(max(a.Int("offset"), -rows), columns)
	// For the rows from first to end: the columns from left(i) to right(i).
	first, end := max(0, -k), rows
	left, right := func(int) int { return 0 }, func(i int) int { return min(i+k+1, columns) }
	n := triangleSize(rows, columns, k)
	if upper {
		first, end = 0, min(rows, columns-k)
		left, right = func(i int) int { return max(0, i+k) }, func(int) int { return columns }
		n = rows*columns - triangleSize(rows, columns, k-1)
	}
	t := alloc(Int64, []int{2, n})
	is, js := t.st.other.i64[:0:n], t.st.other.i64[n:n]
	for i := first; i < end && n > 0; i++ {
		for j := left(i); j < right(i); j++ {
			is, js = append(is, int64(i)), append(js, int64(j))
		}
	}
	return a.One(as(t, a.DType("dtype", Int64)))
}

// triangleSize returns the number of elements at or below diagonal k of a
// matrix: rows of growing length, then full rows.
func triangleSize(rows, columns, k int) int {
	first := max(0, -k) // the first row with elements
	if first >= rows || columns == 0 {
		return 0
	}
	full := min(max(columns-1-k, first), rows) // the first full row
	shortest := min(first+k+1, columns)
	return (full-first)*shortest + (full-first)*(full-first-1)/2 + (rows-full)*columns
}

// atZeros returns zeros as at::zeros does inside a formula of PyTorch: filling
// them increments the version, unlike in torch.zeros and new_zeros.
func atZeros(d DType, sizes []int) *Tensor {
	t := alloc(d, sizes)
	t.bump()
	return t
}
