package autograd

import "math"

// The values of mode: how embedding_bag combines the rows of a bag.
const (
	bagSum = iota
	bagMean
	bagMax
)

var embeddingBagOps = []Op{
	{
		Schema: "_embedding_bag(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq=False, int mode=0, bool sparse=False, Tensor? per_sample_weights=None, bool include_last_offset=False, int padding_idx=-1) -> (Tensor, Tensor, Tensor, Tensor)",
		In:     Hidden, Node: "EmbeddingBagBackward0", Constant: "result1 result2 result3",
		Attrs:   "mode padding_idx scale_grad_by_freq sparse weight_sym_argsize_0",
		Forward: embeddingBag,
		VJP: []Formula{
			{Input: "weight", Uses: "indices offsets per_sample_weights result1 result2 result3", Of: func(c *Ctx) *Tensor {
				a := c.Args()
				return fn_EmbeddingBagBackward.single(nil, c.Grad(), c.Saved("indices"), c.Saved("offsets"), c.Saved("result1"), c.Saved("result2"), c.Saved("result3"), c.Shape("weight")[0], a.Bool("scale_grad_by_freq"), a.Int("mode"), a.Bool("sparse"), c.Saved("per_sample_weights"), a.Int("padding_idx"))
			}},
			{Input: "per_sample_weights", Uses: "weight indices offsets result1", Of: func(c *Ctx) *Tensor {
				return fn_EmbeddingBagPerSampleWeightsBackward.single(nil, c.Grad(), c.Saved("weight"), c.Saved("indices"), c.Saved("offsets"), c.Saved("result1"), c.Args().Int("mode"), c.Args().Int("padding_idx"))
			}},
		},
	},
	{
		Schema: "_embedding_bag_backward(Tensor grad, Tensor indices, Tensor offsets, Tensor offset2bag, Tensor bag_size, Tensor maximum_indices, int num_weights, bool scale_grad_by_freq, int mode, bool sparse, Tensor? per_sample_weights, int padding_idx=-1) -> Tensor",
		In:     Hidden, Node: "EmbeddingBagBackwardBackward0", Forward: embeddingBagGradient,
		VJP: []Formula{{Input: "grad per_sample_weights", All: func(*Ctx) []*Tensor { return []*Tensor{notDifferentiable("_embedding_bag_backward")} }}},
	},
	{
		Schema: "_embedding_bag_per_sample_weights_backward(Tensor grad, Tensor weight, Tensor indices, Tensor offsets, Tensor offset2bag, int mode, int padding_idx=-1) -> Tensor",
		In:     Hidden, Node: "NotImplemented", Forward: bagWeightGradient,
	},
	{
		Schema: "nn_functional_embedding_bag(Tensor input, Tensor weight, Tensor? offsets=None, float? max_norm=None, float norm_type=2, bool scale_grad_by_freq=False, str mode='mean', bool sparse=False, Tensor? per_sample_weights=None, bool include_last_offset=False, int? padding_idx=None) -> Tensor",
		In:     Functional, Go: "EmbeddingBag", Compose: embeddingBagFunction,
	},
}

// notDifferentiable returns the error for a gradient that PyTorch does not
// implement.
func notDifferentiable(name string) *Tensor {
	return errTensor(fail(NotImplementedError, CodeNoDerivative, "the derivative for '%s' is not implemented.", name))
}

// embeddingBagFunction follows torch.nn.functional.embedding_bag.
func embeddingBagFunction(a *Args) ([]*Tensor, error) {
	input, weight, offsets, each := a.Tensor("input"), a.Tensor("weight"), a.Tensor("offsets"), a.Tensor("per_sample_weights")
	bad := func(t ErrorType, format string, args ...any) ([]*Tensor, error) {
		return nil, fail(t, CodeArgument, format, args...)
	}
	if each != nil && !sameSizes(each.sizes, input.sizes) {
		return bad(ValueError, "embedding_bag: If per_sample_weights (%s) is not None, then it must have the same shape as the input (%s)", torchSize(each.sizes), torchSize(input.sizes))
	}
	if weight.Dim() != 2 {
		return bad(ValueError, "weight has to be a 2D Tensor, but got Tensor of dimension %d", weight.Dim())
	}
	switch {
	case input.Dim() == 2 && offsets != nil:
		return bad(ValueError, "if input is 2D, then offsets has to be None, as input is treated is a mini-batch of fixed length sequences. However, found offsets of type <class 'torch.Tensor'>")
	case input.Dim() == 2:
		starts := make([]int64, input.sizes[0])
		for i := range starts {
			starts[i] = int64(i * input.sizes[1])
		}
		offsets = fromSlice(starts, Int64, []int{len(starts)})
		input = input.Reshape([]int{-1})
		if each != nil {
			each = each.Reshape([]int{-1})
		}
	case input.Dim() != 1:
		return bad(ValueError, "input has to be 1D or 2D Tensor, but got Tensor of dimension %d", input.Dim())
	case offsets == nil:
		return bad(ValueError, "offsets has to be a 1D Tensor but got None")
	case offsets.Dim() != 1:
		return bad(ValueError, "offsets has to be a 1D Tensor")
	}
	mode, ok := map[string]int{"sum": bagSum, "mean": bagMean, "max": bagMax}[a.Str("mode")]
	switch {
	case !ok:
		return bad(ValueError, "mode has to be one of sum, mean or max")
	case mode == bagMax && a.Bool("scale_grad_by_freq"):
		return bad(ValueError, "max mode does not support scaling the gradient by the frequency")
	case mode == bagMax && a.Bool("sparse"):
		return bad(ValueError, "max mode does not support sparse weights")
	}
	if a.Has("max_norm") {
		if err := renormalise(weight, input, a.Float("max_norm"), a.Float("norm_type")); err != nil {
			return nil, err
		}
	}
	if each != nil && mode != bagSum {
		return bad(NotImplementedError, "embedding_bag: per_sample_weights was not None. per_sample_weights is only supported for mode='sum' (got mode='%s'). Please open a feature request on GitHub.", a.Str("mode"))
	}
	padding := -1
	if a.Has("padding_idx") {
		n := weight.sizes[0]
		padding = a.Int("padding_idx")
		if padding < -n || padding >= n {
			return bad(RuntimeError, "padding_idx must be within the number of embeddings, -%d through %d, but got %d", n, n-1, padding)
		}
		if padding < 0 {
			padding += n
		}
	}
	outs, err := fn_EmbeddingBag.list(nil, weight, input, offsets, a.Bool("scale_grad_by_freq"), mode, a.Bool("sparse"), each, a.Bool("include_last_offset"), padding)
	return first(outs), err
}

// bags returns the limits of the bags: bag b holds indices limits[b] to
// limits[b+1].
func bags(offsets *Tensor, indices int, includeLast bool) ([]int, error) {
	if offsets.dtype != Int64 && offsets.dtype != Int32 {
		return nil, fail(RuntimeError, CodeDType, "expected scalar type Long but found %s", scalarTypeName(offsets.dtype))
	}
	list := elements[int64](contiguous(offsets))
	limits := make([]int, 0, len(list)+1)
	for b, o := range list {
		switch {
		case b == 0 && o != 0:
			return nil, fail(RuntimeError, CodeIndex, "offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to start from position 0. However, got %d\n[ torch.%sTensor{} ]", o, scalarTypeName(offsets.dtype))
		case b == len(list)-1 && int(o) > indices:
			return nil, fail(RuntimeError, CodeIndex, "offsets[-1] can not be greater than input's length %d but got offsets[-1] of %d", indices, o)
		case b > 0 && int(o) < limits[b-1] || int(o) > indices:
			return nil, fail(RuntimeError, CodeIndex, "embedding_bag: offsets must not decrease and stay below %d, but offsets[%d] is %d", indices, b, o)
		}
		limits = append(limits, int(o))
	}
	if includeLast {
		return limits, nil
	}
	return append(limits, indices), nil
}

func embeddingBag(a *Args) ([]*Tensor, error) {
	weight, indices, each := a.Tensor("weight"), a.Tensor("indices"), a.Tensor("per_sample_weights")
	mode, padding := a.Int("mode"), int64(a.Int("padding_idx"))
	if err := checkIndexType("embedding_bag", indices); err != nil {
		return nil, err
	}
	if !weight.dtype.IsFloat() {
		return nil, undefined("embedding_bag", weight.dtype)
	}
	if each != nil && each.dtype != weight.dtype {
		return nil, fail(RuntimeError, CodeDType, "Expected tensor for argument #1 'weight' to have the same type as tensor for argument #1 'per_sample_weights'; but type %s does not equal %s (while checking arguments for embedding_bag)", typeString(weight.dtype), typeString(each.dtype))
	}
	// PyTorch's fast path for sums and means makes other checks, and for sums
	// it does not fill in the auxiliary results.
	fast := mode != bagMax && padding < 0 && weight.dtype != Float64
	list := elements[int64](contiguous(indices))
	limits, err := bags(a.Tensor("offsets"), len(list), a.Bool("include_last_offset"))
	if err != nil {
		return nil, err
	}
	for n, i := range list {
		if i < 0 || int(i) >= weight.sizes[0] {
			if !fast {
				return nil, fail(RuntimeError, CodeIndex, "embedding_bag: Expected idx >= 0 && idx < num_embeddings but found idx to be %d", i)
			}
			return nil, fail(RuntimeError, CodeIndex, "[enforce fail at embedding_lookup_idx.cc:231] 0 <= idx && idx < data_size. Index %d is out of bounds: %d, range 0 to %d", n, i, weight.sizes[0])
		}
	}
	if !fast && len(limits) > 1 { // on the other path the last bag extends to the end
		limits[len(limits)-1] = len(list)
	}
	count, width := max(len(limits)-1, 0), weight.sizes[1]
	out := alloc(weight.dtype, []int{count, width})
	sizes, largest := alloc(Int64, []int{count}), alloc(Int64, []int{count})
	if mode == bagMax {
		largest = alloc(Int64, []int{count, width})
	}
	counted := !fast || mode == bagMean
	bagOf := alloc(Int64, []int{0})
	if counted {
		bagOf = alloc(Int64, []int{len(list)})
	}
	for b := range count {
		n := int64(0)
		for k := limits[b]; k < limits[b+1]; k++ {
			if counted {
				bagOf.st.other.i64[k] = int64(b)
			}
			if list[k] == padding {
				continue
			}
			n++
			addToBag(a, out, largest, b, int(list[k]), k, n == 1, each)
		}
		if mode != bagSum {
			sizes.st.other.i64[b] = n
		}
		if mode == bagMean {
			largest.st.other.i64[b] = n
			for j := 0; j < width && n > 0; j++ {
				p := b*width + j
				out.setElement(p, FloatScalar(out.float(p)/float64(n)))
			}
		}
	}
	return []*Tensor{out, bagOf, sizes, largest}, nil
}

// addToBag adds row i of the weight, for index k, to bag b.
func addToBag(a *Args, out, largest *Tensor, b, i, k int, isFirst bool, each *Tensor) {
	weight := a.Tensor("weight")
	width := weight.sizes[1]
	scale := 1.0
	if each != nil {
		scale = each.float(each.at(k))
	}
	for j := range width {
		p, x := b*width+j, weight.float(weight.at(i*width+j))
		switch {
		case a.Int("mode") != bagMax:
			out.setElement(p, FloatScalar(out.float(p)+x*scale))
		case isFirst || x > out.float(p) || math.IsNaN(x):
			out.setElement(p, FloatScalar(x))
			largest.st.other.i64[p] = int64(i)
		}
	}
}

// embeddingBagGradient returns the gradient of the weight.
func embeddingBagGradient(a *Args) ([]*Tensor, error) {
	if a.Bool("sparse") {
		return nil, fail(RuntimeError, CodeUnsupported, "embedding_bag(): sparse gradients are not supported by this engine")
	}
	g, each := contiguous(a.Tensor("grad")), a.Tensor("per_sample_weights")
	width := g.sizes[1]
	out := alloc(g.dtype, []int{a.Int("num_weights"), width})
	add := func(row, b, j int, scale float64) {
		p := row*width + j
		out.setElement(p, FloatScalar(out.float(p)+g.float(g.offset+b*width+j)*scale))
	}
	if a.Int("mode") == bagMax {
		sizes, largest := a.Tensor("bag_size"), a.Tensor("maximum_indices")
		for b := range g.sizes[0] {
			for j := 0; j < width && sizes.st.other.i64[b] > 0; j++ {
				add(int(largest.st.other.i64[b*width+j]), b, j, 1)
			}
		}
		return a.One(rounded(out))
	}
	list := elements[int64](contiguous(a.Tensor("indices")))
	counts := make([]float64, out.sizes[0])
	for _, i := range list {
		counts[i]++
	}
	of := bagOfIndex(a, len(list))
	for k, i := range list {
		if i == int64(a.Int("padding_idx")) {
			continue
		}
		scale := 1.0
		if each != nil {
			scale = each.float(each.at(k))
		}
		if a.Int("mode") == bagMean {
			scale /= float64(a.Tensor("bag_size").st.other.i64[of[k]])
		}
		if a.Bool("scale_grad_by_freq") {
			scale /= counts[i]
		}
		for j := range width {
			add(int(i), of[k], j, scale)
		}
	}
	return a.One(rounded(out))
}

// bagOfIndex returns the bag of each index, computed from the offsets.
func bagOfIndex(a *Args, n int) []int {
	list := elements[int64](contiguous(a.Tensor("offsets")))
	of, b := make([]int, n), 0
	last := a.Tensor("grad").sizes[0] - 1
	for k := range of {
		for b < last && int(list[b+1]) <= k {
			b++
		}
		of[k] = b
	}
	return of
}

// bagWeightGradient returns the gradient of per_sample_weights.
func bagWeightGradient(a *Args) ([]*Tensor, error) {
	g, weight := contiguous(a.Tensor("grad")), a.Tensor("weight")
	list := elements[int64](contiguous(a.Tensor("indices")))
	out, of, width := alloc(g.dtype, []int{len(list)}), bagOfIndex(a, len(list)), g.sizes[1]
	for k, i := range list {
		if i == int64(a.Int("padding_idx")) {
			continue
		}
		sum := 0.0
		for j := range width {
			sum += g.float(g.offset+of[k]*width+j) * weight.float(weight.at(int(i)*width+j))
		}
		out.setElement(k, FloatScalar(sum))
	}
	return a.One(out)
}
