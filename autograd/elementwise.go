package autograd

import (
	"math"
	"slices"

	"github.com/gradtui/gradtui/autograd/internal/kernel"
)

// This file runs elementwise operators: it chooses the dtype of the
// computation, broadcasts, and selects the loop.

// A unaryKernel has a loop for each class of elements; nil if the operator is
// not defined for the class. d[i] = f(a[i*sa]).
type unaryKernel struct {
	name string // in the message for a missing class
	f32  func(d, a []float32, sa int)
	f64  func(d, a []float64, sa int)
	i64  func(d, a []int64, sa int)
	b    func(d, a []bool, sa int)
}

// A binaryKernel has a loop for each class of elements.
// d[i] = f(a[i*sa], b[i*sb]).
type binaryKernel struct {
	name string
	f32  func(d, a, b []float32, sa, sb int)
	f64  func(d, a, b []float64, sa, sb int)
	i64  func(d, a, b []int64, sa, sb int)
	b    func(d, a, b []bool, sa, sb int)
}

// floatUnary makes a kernel from a function on float64; float32 elements are
// computed in float64 and rounded.
func floatUnary(name string, f func(float64) float64) unaryKernel {
	return unaryKernel{
		name: name,
		f32: func(d, a []float32, sa int) {
			kernel.Map1(d, a, sa, func(x float32) float32 { return float32(f(float64(x))) })
		},
		f64: func(d, a []float64, sa int) { kernel.Map1(d, a, sa, f) },
	}
}

// exactUnary makes a kernel from functions that reproduce PyTorch's results bit
// for bit.
func exactUnary(name string, f32 func(float32) float32, f64 func(float64) float64) unaryKernel {
	return unaryKernel{
		name: name,
		f32:  func(d, a []float32, sa int) { kernel.Map1(d, a, sa, f32) },
		f64:  func(d, a []float64, sa int) { kernel.Map1(d, a, sa, f64) },
	}
}

// undefined returns the error for an operator that does not support a dtype.
func undefined(name string, d DType) *Error {
	return fail(RuntimeError, CodeDType, "\"%s\" not implemented for '%s'", name, scalarTypeName(d))
}

// output returns the tensor for a result: the destination of an in-place call
// if the loop can write there directly, otherwise a new tensor with the layout
// that PyTorch's TensorIterator chooses.
func (a *Args) output(sizes []int, d DType, operands ...*Tensor) *Tensor {
	if r := a.result; r != nil && r.dtype == d && sameSizes(r.sizes, sizes) && !aliases(r, operands) {
		return r
	}
	plain, same := true, true
	for _, t := range operands {
		plain = plain && t.flags&contiguousFlag != 0
		same = same && sameSizes(t.sizes, sizes)
	}
	if !same {
		// Broadcasting looks at all strides, including strides of dimensions of
		// size 1.
		for _, t := range operands {
			plain = plain && rowMajor(t.sizes, t.strides)
		}
		plain = plain && numel(sizes) > 0
	}
	if plain {
		for _, t := range operands {
			if sameSizes(t.sizes, sizes) && hasPlainStrides(t) {
				return allocLike(t, d)
			}
		}
		if !slices.Contains(sizes, 1) {
			return alloc(d, sizes)
		}
	}
	return allocLaidOut(d, sizes, layoutOf(sizes, operands))
}

// hasPlainStrides reports whether the strides are row-major even where they do
// not matter: in dimensions of size 1 and in empty tensors.
func hasPlainStrides(t *Tensor) bool {
	step := 1
	for d := len(t.sizes) - 1; d >= 0; d-- {
		if t.strides[d] != step {
			return false
		}
		step *= max(t.sizes[d], 1)
	}
	return true
}

// allocLaidOut makes a tensor with the given dense strides.
func allocLaidOut(d DType, sizes, strides []int) *Tensor {
	t := allocStrided(d, sizes, strides)
	if !isContiguous(sizes, strides) {
		t.flags &^= contiguousFlag
	}
	return t
}

// layoutOf returns dense strides that follow the memory order of the operands
// (TensorIteratorBase::reorder_dimensions).
func layoutOf(sizes []int, operands []*Tensor) []int {
	steps := make([][]int, len(operands))
	for i, t := range operands {
		steps[i] = kernel.Broadcast(sizes, t.sizes, t.strides)
	}
	// order lists the dimensions, the fastest-varying first.
	order := make([]int, len(sizes))
	for i := range order {
		order[i] = len(sizes) - 1 - i
	}
	for i := 1; i < len(order); i++ {
		at := i
		for j := i - 1; j >= 0; j-- {
			c := kernel.WalkOrder(order[j], order[at], sizes, steps...)
			if c > 0 {
				order[j], order[at] = order[at], order[j]
				at = j
			} else if c < 0 {
				break
			}
		}
	}
	if natural(order) {
		return contiguousStrides(sizes)
	}
	strides := make([]int, len(sizes))
	step := 1
	for _, d := range order {
		strides[d] = step
		step *= sizes[d]
	}
	return strides
}

// natural reports whether the order of the dimensions is row-major.
func natural(order []int) bool {
	for i, d := range order {
		if d != len(order)-1-i {
			return false
		}
	}
	return true
}

// aliases reports whether writing to r could change elements of an operand that
// are still to be read.
func aliases(r *Tensor, operands []*Tensor) bool {
	for _, t := range operands {
		if t.st == r.st && overlapping(t, r) {
			return true
		}
	}
	return false
}

// unary applies a kernel to t after conversion to dtype d.
func (a *Args) unary(t *Tensor, d DType, k *unaryKernel) ([]*Tensor, error) {
	t = as(t, d)
	out := a.output(t.sizes, d, t)
	ok := false
	switch classOf(d) {
	case f32Class:
		ok = runUnary(out, t, k.f32)
	case f64Class:
		ok = runUnary(out, t, k.f64)
	case i64Class:
		ok = runUnary(out, t, k.i64)
	default:
		ok = runUnary(out, t, k.b)
	}
	if !ok {
		return nil, undefined(k.name, d)
	}
	return a.One(rounded(out))
}

func runUnary[D, T element](out, t *Tensor, f func(d []D, a []T, sa int)) bool {
	if f == nil {
		return false
	}
	d, s := data[D](out.st), data[T](t.st)
	n := numel(t.sizes)
	if n == 0 {
		return true
	}
	if t.flags&out.flags&contiguousFlag != 0 {
		f(d[out.offset:out.offset+n], s[t.offset:t.offset+n], 1)
		return true
	}
	walkDense(out, []*Tensor{t}, func(r *kernel.Row) { f(d[r.At[0]:r.At[0]+r.N], s[r.At[1]:], r.Stride[1]) })
	return true
}

// binary applies a kernel to two operands, computing in dtype d.
func (a *Args) binary(x, y *Tensor, d DType, k *binaryKernel) ([]*Tensor, error) {
	sizes, err := broadcastSizes(x.sizes, y.sizes)
	if err != nil {
		return nil, err
	}
	out := a.output(sizes, d, x, y)
	ok := false
	switch classOf(d) {
	case f32Class:
		ok = runBinary(&cells, out, x, y, d, k.f32)
	case f64Class:
		ok = runBinary(&cells, out, x, y, d, k.f64)
	case i64Class:
		ok = runBinary(&cells, out, x, y, d, k.i64)
	default:
		ok = runBinary(&cells, out, x, y, d, k.b)
	}
	if !ok {
		return nil, undefined(k.name, d)
	}
	return a.One(rounded(out))
}

// A compareKernel is a binaryKernel with bool results.
type compareKernel struct {
	f32 func(d []bool, a, b []float32, sa, sb int)
	f64 func(d []bool, a, b []float64, sa, sb int)
	i64 func(d []bool, a, b []int64, sa, sb int)
	b   func(d, a, b []bool, sa, sb int)
}

// compare compares two operands in their common dtype.
func (a *Args) compare(x, y *Tensor, k *compareKernel) ([]*Tensor, error) {
	sizes, err := broadcastSizes(x.sizes, y.sizes)
	if err != nil {
		return nil, err
	}
	out := a.output(sizes, Bool, x, y)
	switch d := resultType(x, y); classOf(d) {
	case f32Class:
		runBinary(&cells, out, x, y, d, k.f32)
	case f64Class:
		runBinary(&cells, out, x, y, d, k.f64)
	case i64Class:
		runBinary(&cells, out, x, y, d, k.i64)
	default:
		runBinary(&cells, out, x, y, d, k.b)
	}
	return a.One(out)
}

// A ternaryKernel has a loop for each class of elements.
// d[i] = f(a[i*sa], b[i*sb], c[i*sc]).
type ternaryKernel struct {
	name string // in the message for a missing class
	f32  func(d, a, b, c []float32, sa, sb, sc int)
	f64  func(d, a, b, c []float64, sa, sb, sc int)
	i64  func(d, a, b, c []int64, sa, sb, sc int)
}

// ternary applies a kernel to three operands, computing in dtype d.
func (a *Args) ternary(x, y, z *Tensor, d DType, k *ternaryKernel) ([]*Tensor, error) {
	sizes, err := broadcastSizes(x.sizes, y.sizes)
	if err != nil {
		return nil, err
	}
	if sizes, err = broadcastSizes(sizes, z.sizes); err != nil {
		return nil, err
	}
	out := a.output(sizes, d, x, y, z)
	ok := false
	switch classOf(d) {
	case f32Class:
		ok = runTernary(&cells, out, x, y, z, k.f32)
	case f64Class:
		ok = runTernary(&cells, out, x, y, z, k.f64)
	case i64Class:
		ok = runTernary(&cells, out, x, y, z, k.i64)
	}
	if !ok {
		return nil, undefined(k.name, d)
	}
	return a.One(rounded(out))
}

func runTernary[T number](cells *[3]cell, out, x, y, z *Tensor, f func(d, a, b, c []T, sa, sb, sc int)) bool {
	if f == nil {
		return false
	}
	a, b, c := operandOf[T](x, out.dtype, &cells[0]), operandOf[T](y, out.dtype, &cells[1]), operandOf[T](z, out.dtype, &cells[2])
	d := data[T](out.st)
	eachRow(out, func(r *kernel.Row) {
		f(d[r.At[0]:r.At[0]+r.N], a.data[r.At[1]:], b.data[r.At[2]:], c.data[r.At[3]:], r.Stride[1], r.Stride[2], r.Stride[3])
	}, a.steps(out.sizes), b.steps(out.sizes), c.steps(out.sizes))
	return true
}

// eachRow walks a dense result together with operands with the given strides.
func eachRow(out *Tensor, f func(r *kernel.Row), steps ...[]int) {
	offsets := [kernel.Max]int{out.offset}
	strides := [kernel.Max][]int{out.strides}
	n := 1 + copy(strides[1:], steps)
	walkInOrder(out, offsets[:n], strides[:n], f)
}

// An operand is one side of an elementwise loop.
type operand[T element] struct {
	data []T
	t    *Tensor // nil for a single number
}

// operandOf prepares an operand for a loop: t converted to dtype d, whose class
// is T, or, if t has one element, the number in the cell.
func operandOf[T element](t *Tensor, d DType, c *cell) operand[T] {
	if len(t.sizes) == 0 {
		one := cellData[T](c)
		one[0] = fromScalar[T](t.element(t.offset), d)
		return operand[T]{data: one}
	}
	t = as(t, d)
	all := data[T](t.st)
	return operand[T]{data: all[min(t.offset, len(all)):], t: t} // an empty view may have any offset
}

// cellData returns the memory of a cell for elements of type T.
func cellData[T element](c *cell) []T {
	var zero T
	switch any(zero).(type) {
	case float32:
		return any(c.f32[:]).([]T)
	case float64:
		return any(c.f64[:]).([]T)
	case int64:
		return any(c.i64[:]).([]T)
	default:
		return any(c.b[:]).([]T)
	}
}

// fromScalar converts a number to an element of dtype d.
func fromScalar[T element](s Scalar, d DType) T {
	var x T
	switch p := any(&x).(type) {
	case *float32:
		*p = roundFloat(d, float32(s.Float()))
	case *float64:
		*p = s.Float()
	case *int64:
		*p = roundInt(d, s.Int())
	case *bool:
		*p = s.Bool()
	}
	return x
}

func runBinary[D, T element](c *[3]cell, out, x, y *Tensor, in DType, f func(d []D, a, b []T, sa, sb int)) bool {
	n := numel(out.sizes)
	if f == nil || n == 0 {
		return f != nil
	}
	d := data[D](out.st)
	a, b := operandOf[T](x, in, &c[0]), operandOf[T](y, in, &c[1])
	sa, flatA := a.flat(out.sizes)
	sb, flatB := b.flat(out.sizes)
	if flatA && flatB && out.flags&contiguousFlag != 0 {
		f(d[out.offset:out.offset+n], a.data, b.data, sa, sb)
		return true
	}
	binaryRows(out, d, a, b, f)
	return true
}

func binaryRows[D, T element](out *Tensor, d []D, a, b operand[T], f func(d []D, a, b []T, sa, sb int)) {
	eachRow(out, func(r *kernel.Row) {
		f(d[r.At[0]:r.At[0]+r.N], a.data[r.At[1]:], b.data[r.At[2]:], r.Stride[1], r.Stride[2])
	}, a.steps(out.sizes), b.steps(out.sizes))
}

// flat reports whether a single loop can read the operand for a row-major
// result of the given shape: it has that shape, or repeats a single element.
func (o operand[T]) flat(sizes []int) (step int, ok bool) {
	if o.t == nil {
		return 0, true
	}
	if o.t.flags&contiguousFlag != 0 && sameSizes(o.t.sizes, sizes) {
		return 1, true
	}
	for _, s := range o.t.strides {
		if s != 0 {
			return 0, false
		}
	}
	return 0, true
}

func (o operand[T]) steps(sizes []int) []int {
	if o.t == nil {
		return make([]int, len(sizes))
	}
	return kernel.Broadcast(sizes, o.t.sizes, o.t.strides)
}

// walkDense walks a dense result and operands of its shape. The rows of the
// result have step 1.
func walkDense(out *Tensor, operands []*Tensor, f func(r *kernel.Row)) {
	offsets := [kernel.Max]int{out.offset}
	strides := [kernel.Max][]int{out.strides}
	for i, t := range operands {
		offsets[i+1], strides[i+1] = t.offset, kernel.Broadcast(out.sizes, t.sizes, t.strides)
	}
	n := len(operands) + 1
	walkInOrder(out, offsets[:n], strides[:n], f)
}

// walkInOrder is kernel.Walk with the dimensions in the memory order of a dense
// result.
func walkInOrder(out *Tensor, offsets []int, strides [][]int, f func(r *kernel.Row)) {
	if out.flags&contiguousFlag != 0 {
		kernel.Walk(out.sizes, offsets, strides, f)
		return
	}
	order := make([]int, len(out.sizes))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int { return out.strides[y] - out.strides[x] })
	sizes := permuted(out.sizes, order)
	inOrder := make([][]int, len(strides))
	for i := range strides {
		inOrder[i] = permuted(strides[i], order)
	}
	kernel.Walk(sizes, offsets, inOrder, f)
}

func permuted(list, order []int) []int {
	out := make([]int, len(list))
	for i, d := range order {
		out[i] = list[d]
	}
	return out
}

// rounded rounds the elements of a dense result to a narrow dtype.
func rounded(t *Tensor) *Tensor {
	if !narrow(t.dtype) {
		return t
	}
	n := numel(t.sizes)
	if t.dtype.IsInteger() {
		e := t.st.other.i64[t.offset : t.offset+n]
		for i, x := range e {
			e[i] = roundInt(t.dtype, x)
		}
		return t
	}
	e := t.st.f32[t.offset : t.offset+n]
	for i, x := range e {
		e[i] = roundFloat(t.dtype, x)
	}
	return t
}

// floatType returns the result dtype of operators that turn integers into
// floats.
func floatType(d DType) DType {
	if d.IsFloat() {
		return d
	}
	return defaultDType
}

// fma32 is a*b + c in float32 with a single rounding.
func fma32(a, b, c float32) float32 { return float32(math.FMA(float64(a), float64(b), float64(c))) }
