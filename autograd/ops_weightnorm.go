package autograd

import "math"

// Weight normalization: weights as the product of a norm g and a direction v.

var weightNormOps = []Op{
	{
		Schema: "norm_except_dim(Tensor v, int pow=2, int dim=0) -> Tensor", In: Torch, Go: "-",
		Compose: func(a *Args) ([]*Tensor, error) {
			return a.One(normExceptDim(a.Tensor("v"), a.Int("pow"), a.Int("dim")))
		},
	},
	{
		Schema: "_weight_norm(Tensor v, Tensor g, int dim=0) -> Tensor", In: Torch, Go: "-",
		Compose: func(a *Args) ([]*Tensor, error) {
			v, g, dim := a.Tensor("v").Contiguous(), a.Tensor("g").Contiguous(), a.Int("dim")
			if dim == 0 || dim == v.Dim()-1 {
				w, _ := fn_WeightNormInterface.pair(nil, v, g, dim)
				return a.One(w)
			}
			return a.One(v.Mul(g.Div(normExceptDim(v, 2, dim))))
		},
	},
	{
		Schema: "_weight_norm_interface(Tensor v, Tensor g, int dim=0) -> (Tensor, Tensor)", In: Torch, Go: "-",
		Node: "WeightNormInterfaceBackward0", Constant: "result1", Attrs: "dim",
		Forward: weightNorm,
		VJP:     []Formula{{Input: "v g", Uses: "v g result1", All: weightNormBackward}},
	},
}

// normExceptDim returns the norm of v over all dimensions except one; -1 means
// all dimensions.
func normExceptDim(v *Tensor, pow, dim int) *Tensor {
	last := v.Dim() - 1
	if dim == -1 {
		return fnNormAll.single(nil, v, pow)
	}
	if dim != 0 && dim != last {
		return normExceptDim(v.Transpose(0, dim), pow, 0).Transpose(0, dim)
	}
	sizes := ones(v.Dim())
	sizes[dim] = v.sizes[dim]
	if dim == 0 {
		return fnNormScalarOptDim.single(nil, v.Contiguous().View([]int{sizes[0], -1}), pow, []int{1}).View(sizes)
	}
	return fnNormScalarOptDim.single(nil, v.Contiguous().View([]int{-1, sizes[dim]}), pow, []int{0}).View(sizes)
}

func ones(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = 1
	}
	return list
}

// weightNorm computes g*v/|v| and |v|.
func weightNorm(a *Args) ([]*Tensor, error) {
	v, g, dim := contiguous(a.Tensor("v")), contiguous(a.Tensor("g")), a.Int("dim")
	if v.dtype != g.dtype {
		return nil, wantScalarType(v.dtype, g.dtype)
	}
	if !v.dtype.IsFloat() {
		return nil, undefined("weight_norm_kernel", v.dtype)
	}
	if g.Numel() != v.sizes[dim] {
		return nil, fail(RuntimeError, CodeShape, "The size of tensor a (%d) must match the size of tensor b (%d) at non-singleton dimension %d", v.sizes[dim], g.Numel(), dim)
	}
	w, norm := alloc(v.dtype, v.sizes), alloc(g.dtype, g.sizes)
	rows, columns, across := weightRows(v, dim)
	if classOf(v.dtype) == f64Class {
		normalizeRows(elements[float64](w), elements[float64](norm), elements[float64](v), elements[float64](g), rows, columns, across)
	} else {
		normalizeRows(elements[float32](w), elements[float32](norm), elements[float32](v), elements[float32](g), rows, columns, across)
	}
	return []*Tensor{rounded(w), rounded(norm)}, nil
}

// weightRows returns the number of norms and the number of elements in each.
// across says that the elements of one norm are not adjacent.
func weightRows(v *Tensor, dim int) (rows, columns int, across bool) {
	rows = v.sizes[dim]
	return rows, numel(v.sizes) / max(rows, 1), dim != 0
}

func normalizeRows[T float32 | float64](w, norm, v, g []T, rows, columns int, across bool) {
	row, next := columns, 1
	if across {
		row, next = 1, rows
	}
	for i := range rows {
		n := T(math.Sqrt(float64(sumOfProducts(v[i*row:], v[i*row:], columns, next))))
		norm[i] = n
		scale := g[i] / n
		for j := range columns {
			at := i*row + j*next
			w[at] = v[at] * scale
		}
	}
}

// sumOfProducts sums as vector instructions do: adjacent elements in one
// partial sum for each lane of a register, others one by one.
func sumOfProducts[T float32 | float64](x, y []T, n, step int) T {
	var sum T
	if step > 1 {
		for j := range n {
			sum += x[j*step] * y[j*step]
		}
		return sum
	}
	lanes := 8
	if _, ok := any(sum).(float64); ok {
		lanes = 4
	}
	var part [8]T
	for j := range n {
		part[j%lanes] += x[j] * y[j]
	}
	if n < lanes || lanes == 4 {
		for j := range min(n, lanes) {
			sum += part[j]
		}
		return sum
	}
	for half := lanes / 2; half > 0; half /= 2 {
		for j := range half {
			part[j] += part[j+half]
		}
	}
	return part[0]
}

func weightNormBackward(c *Ctx) []*Tensor {
	if c.Grad() == nil {
		return nil
	}
	grad, v, g, norm, dim := c.Grad().Contiguous(), c.Saved("v"), c.Saved("g"), c.Saved("result1"), c.Args().Int("dim")
	if gradMode() {
		return weightNormGradients(grad, v, g, norm, dim)
	}
	gradV, gradG := alloc(v.dtype, v.sizes), alloc(g.dtype, g.sizes)
	rows, columns, across := weightRows(v, dim)
	if classOf(v.dtype) == f64Class {
		gradientsOfRows(elements[float64](gradV), elements[float64](gradG), elements[float64](grad), elements[float64](contiguous(v)), elements[float64](contiguous(g)), elements[float64](norm), rows, columns, across)
	} else {
		gradientsOfRows(elements[float32](gradV), elements[float32](gradG), elements[float32](grad), elements[float32](contiguous(v)), elements[float32](contiguous(g)), elements[float32](norm), rows, columns, across)
	}
	return []*Tensor{rounded(gradV), rounded(gradG)}
}

func gradientsOfRows[T float32 | float64](gradV, gradG, grad, v, g, norm []T, rows, columns int, across bool) {
	row, next := columns, 1
	if across {
		row, next = 1, rows
	}
	for i := range rows {
		sum := sumOfProducts(grad[i*row:], v[i*row:], columns, next)
		gradG[i] = sum / norm[i]
		scale := g[i] / norm[i]
		along := scale * gradG[i] / norm[i]
		for j := range columns {
			at := i*row + j*next
			gradV[at] = scale*grad[at] - along*v[at]
		}
	}
}

// weightNormGradients computes the gradients with operators that can be
// differentiated.
func weightNormGradients(grad, v, g, norm *Tensor, dim int) []*Tensor {
	sizes := ones(v.Dim())
	sizes[dim] = v.sizes[dim]
	rows, over := []int{sizes[0], -1}, 1
	if dim != 0 {
		rows, over = []int{-1, sizes[dim]}, 0
	}
	sums := grad.Mul(v).View(rows).Sum(Dim(over)).View(sizes)
	gradV := g.Div(norm).Mul(grad.Sub(v.Mul(sums.Div(norm.Mul(norm)))))
	return []*Tensor{gradV, sums.Div(norm)}
}
