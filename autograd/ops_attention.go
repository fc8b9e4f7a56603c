package autograd

import (
	"math"

	"github.com/gradtui/gradtui/autograd/internal/kernel"
)

var attentionOps = []Op{
	{
		Schema: "scaled_dot_product_attention(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, float dropout_p=0.0, bool is_causal=False, *, float? scale=None, bool enable_gqa=False) -> Tensor",
		In:     Functional, Compose: attention,
	},
	{
		Schema: "_scaled_dot_product_flash_attention_for_cpu(Tensor query, Tensor key, Tensor value, float dropout_p=0.0, bool is_causal=False, *, Tensor? attn_mask=None, float? scale=None) -> (Tensor output, Tensor logsumexp)",
		In:     Hidden, Node: "ScaledDotProductFlashAttentionForCpuBackward0", Constant: "logsumexp", Attrs: "dropout_p is_causal scale",
		Forward: fusedAttention,
		VJP: []Formula{{Input: "query key value", Uses: "attn_mask key logsumexp output query value", All: func(c *Ctx) []*Tensor {
			if c.Grad() == nil {
				return nil
			}
			a := c.Args()
			return several(fn_ScaledDotProductFlashAttentionForCpuBackward.triple(nil, c.Grad(), c.Saved("query"), c.Saved("key"), c.Saved("value"), c.Saved("output"), c.Saved("logsumexp"), a.Float("dropout_p"), a.Bool("is_causal"), c.Saved("attn_mask"), a.optionalFloat("scale")))
		}}},
	},
	{
		Schema: "_scaled_dot_product_flash_attention_for_cpu_backward(Tensor grad_out, Tensor query, Tensor key, Tensor value, Tensor out, Tensor logsumexp, float dropout_p, bool is_causal, Tensor? attn_mask=None, float? scale=None) -> (Tensor grad_query, Tensor grad_key, Tensor grad_value)",
		In:     Hidden, Node: notImplemented, Forward: fusedAttentionGradient,
	},
	{
		Schema: "_safe_softmax(Tensor self, int dim, ScalarType? dtype=None) -> Tensor", In: Hidden,
		Node: "SafeSoftmaxBackward0", Attrs: "dim", JVP: softmaxJVP, Forward: safeSoftmax,
		VJP: []Formula{{Input: "self", Uses: "result", Of: func(c *Ctx) *Tensor {
			return c.Grad().SoftmaxBackwardData(c.Saved("result"), c.Args().Int("dim"), c.DTypeOf("self"))
		}}},
	},
}

// optionalFloat returns a float argument, or nil for None.
func (a *Args) optionalFloat(name string) any {
	if a.Has(name) {
		return a.Float(name)
	}
	return nil
}

// attention chooses between the fused operator and the composition of
// operators, as PyTorch does on a CPU.
func attention(a *Args) ([]*Tensor, error) {
	q, k, v, mask := a.Tensor("query"), a.Tensor("key"), a.Tensor("value"), a.Tensor("attn_mask")
	bad := func(format string, args ...any) ([]*Tensor, error) {
		return nil, fail(RuntimeError, CodeArgument, format, args...)
	}
	name := func(t *Tensor) string { return cTypeNames[t.dtype] }
	switch {
	case q.dtype != k.dtype || q.dtype != v.dtype:
		return bad("Expected query, key, and value to have the same dtype, but got query.dtype: %s key.dtype: %s and value.dtype: %s instead.", name(q), name(k), name(v))
	case q.Dim() < 2 || k.Dim() < 2 || v.Dim() < 2:
		return bad("Expected query, key, and value to all be  at least 2 dimensional, but got query.dim: %d key.dim: %d and value.dim: %d instead.", q.Dim(), k.Dim(), v.Dim())
	case mask != nil && mask.dtype != Bool && mask.dtype != q.dtype && mask.dtype != Float32:
		return bad("Expected attn_mask dtype to be bool or float or to match query dtype, but got attn_mask.dtype: %s and  query.dtype: %s instead.", name(mask), name(q))
	}
	if mask != nil && mask.dtype == Bool {
		mask = additive(mask, q.dtype)
	}
	if canFuse(q, k, v, mask, a.Float("dropout_p")) {
		opts := []Option{Kw("attn_mask", mask), Kw("scale", a.optionalFloat("scale"))}
		outs, err := fn_ScaledDotProductFlashAttentionForCpu.list(opts, q, k, v, a.Float("dropout_p"), a.Bool("is_causal"))
		return first(outs), err
	}
	return attentionByParts(a, q, k, v, mask)
}

// additive converts a bool mask of visible keys to a mask that is added to the
// scores.
func additive(mask *Tensor, d DType) *Tensor {
	out := allocLike(contiguous(mask), d)
	for i, seen := range inOrder[bool](mask) {
		if !seen {
			out.setElement(i, FloatScalar(math.Inf(-1)))
		}
	}
	return out
}

// canFuse checks the conditions of sdp_utils_cpp.cpp for the fused operator.
func canFuse(q, k, v, mask *Tensor, dropout float64) bool {
	if dropout != 0 || !q.dtype.IsFloat() {
		return false
	}
	for _, t := range []*Tensor{q, k, v} {
		if t.Dim() != 4 || t.sizes[2] == 0 || t.strides[3] != 1 && t.sizes[3] != 1 ||
			t.sizes[0] != q.sizes[0] || t.sizes[1] != q.sizes[1] || t.sizes[3] != q.sizes[3] || t.sizes[2] != k.sizes[2] && t != q {
			return false
		}
	}
	if mask == nil {
		return true
	}
	if mask.requiresGrad() || mask.Dim() != 2 && mask.Dim() != 4 {
		return false
	}
	return expandable(mask.sizes, []int{q.sizes[0], q.sizes[1], q.sizes[2], k.sizes[2]})
}

// attentionByParts follows _scaled_dot_product_attention_math.
func attentionByParts(a *Args, q, k, v, mask *Tensor) ([]*Tensor, error) {
	scale := 1 / math.Sqrt(float64(q.sizes[q.Dim()-1]))
	if a.Has("scale") {
		scale = a.Float("scale")
	}
	root := math.Sqrt(math.Abs(scale))
	if a.Bool("is_causal") {
		if mask != nil {
			return nil, fail(RuntimeError, CodeArgument, "_scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True")
		}
		mask = causal(q.sizes[q.Dim()-2], k.sizes[k.Dim()-2], q.dtype)
	}
	q = q.MulScalar(math.Copysign(root, scale))
	if a.Bool("enable_gqa") && q.Dim() > 2 && k.Dim() > 2 && v.Dim() > 2 {
		var err error
		if k, v, err = shareHeads(q, k, v); err != nil {
			return nil, err
		}
	}
	scores := fnMatmul.single(nil, q, fnTranspose.single(nil, k, -2, -1).MulScalar(root))
	if scores.err != nil {
		return nil, scores.err
	}
	if mask != nil {
		if err := scores.Add_(mask); err != nil {
			return nil, err
		}
	}
	weights := fn_SafeSoftmax.single(nil, scores, -1)
	if p := a.Float("dropout_p"); p > 0 && weights.err == nil {
		var err error
		if weights, err = (dropout{}).apply(weights, p, true, false); err != nil {
			return nil, err
		}
	}
	return a.One(fnMatmul.single(nil, weights, v))
}

// causal returns a mask that hides, for each query, the keys after it.
func causal(queries, keys int, d DType) *Tensor {
	mask := alloc(d, []int{queries, keys})
	for i := range queries {
		for j := i + 1; j < keys; j++ {
			mask.setElement(i*keys+j, FloatScalar(math.Inf(-1)))
		}
	}
	return mask
}

// shareHeads repeats keys and values for groups of query heads.
func shareHeads(q, k, v *Tensor) (*Tensor, *Tensor, error) {
	heads := q.sizes[q.Dim()-3]
	for _, t := range []**Tensor{&k, &v} {
		n := (*t).sizes[(*t).Dim()-3]
		if n == 0 || heads%n != 0 {
			return nil, nil, fail(RuntimeError, CodeShape, "Number of heads in key and value must divide the number of heads in query")
		}
		*t = fnRepeatInterleave.single(nil, *t, heads/n, -3)
	}
	return k, v, nil
}

// eachHead calls f for each head of each sample, with its number and the shape
// of its attention.
func eachHead(a *Args, q, k, mask *Tensor, f func(head int, shape *kernel.Attention)) {
	scale := 1 / math.Sqrt(float64(q.sizes[3]))
	if a.Has("scale") {
		scale = a.Float("scale")
	}
	steps := make([]int, 4)
	if mask != nil {
		steps = kernel.Broadcast([]int{q.sizes[0], q.sizes[1], q.sizes[2], k.sizes[2]}, mask.sizes, mask.strides)
	}
	for b := range q.sizes[0] {
		for h := range q.sizes[1] {
			shape := &kernel.Attention{Q: q.sizes[2], K: k.sizes[2], Width: q.sizes[3], Scale: scale, Causal: a.Bool("is_causal")}
			if mask != nil {
				start := mask.offset + b*steps[0] + h*steps[1]
				shape.Mask = func(at int) float64 { return mask.float(start + at) }
				shape.MaskStep = [2]int{steps[2], steps[3]}
			}
			f(b*q.sizes[1]+h, shape)
		}
	}
}

// head returns the elements of head n in a row-major tensor [batch, heads,
// length, width].
func head[T element](all []T, n int, t *Tensor) []T {
	size := t.sizes[2] * t.sizes[3]
	return all[n*size : (n+1)*size]
}

// lengthFirst makes a tensor [batch, heads, length ...] with the memory layout
// [batch, length, heads ...].
func lengthFirst(d DType, sizes []int) *Tensor {
	order := []int{0, 2, 1, 3}[:len(sizes)]
	inner := contiguousStrides(permuted(sizes, order))
	return allocLaidOut(d, sizes, permuted(inner, order))
}

func fusedAttention(a *Args) ([]*Tensor, error) {
	q, k, v, mask := a.Tensor("query"), a.Tensor("key"), a.Tensor("value"), a.Tensor("attn_mask")
	out := alloc(q.dtype, q.sizes)
	logsums := lengthFirst(q.dtype, q.sizes[:3])
	if classOf(q.dtype) == f32Class {
		attend[float32](a, out, logsums, q, k, v, mask)
	} else {
		attend[float64](a, out, logsums, q, k, v, mask)
	}
	rounded(out)
	if isDense(q.sizes, q.strides) && q.flags&contiguousFlag == 0 {
		laid := allocStridedAs(q, q.dtype)
		copyData(laid, out)
		out = laid
	}
	return []*Tensor{out, logsums}, nil
}

func attend[T float32 | float64](a *Args, out, logsums, q, k, v, mask *Tensor) {
	d, x, y, z := elements[T](out), inOrder[T](q), inOrder[T](k), inOrder[T](v)
	eachHead(a, q, k, mask, func(n int, shape *kernel.Attention) {
		kernel.Attend(shape, head(d, n, q), func(i int, s float64) { logsums.setElement(logsums.at(n*shape.Q+i), FloatScalar(s)) }, head(x, n, q), head(y, n, k), head(z, n, v))
	})
}

func fusedAttentionGradient(a *Args) ([]*Tensor, error) {
	like := []*Tensor{a.Tensor("query"), a.Tensor("key"), a.Tensor("value")}
	grads := make([]*Tensor, 3)
	for i, t := range like {
		g := alloc(t.dtype, t.sizes)
		grads[i] = g
	}
	if classOf(like[0].dtype) == f32Class {
		attendBackward[float32](a, grads)
	} else {
		attendBackward[float64](a, grads)
	}
	for i, g := range grads {
		laid := lengthFirst(g.dtype, g.sizes)
		copyData(laid, rounded(g))
		grads[i] = laid
	}
	return grads, nil
}

func attendBackward[T float32 | float64](a *Args, grads []*Tensor) {
	q, k, v, logsums := a.Tensor("query"), a.Tensor("key"), a.Tensor("value"), a.Tensor("logsumexp")
	g, out := inOrder[T](a.Tensor("grad_out")), inOrder[T](a.Tensor("out"))
	x, y, z := inOrder[T](q), inOrder[T](k), inOrder[T](v)
	dq, dk, dv := elements[T](grads[0]), elements[T](grads[1]), elements[T](grads[2])
	eachHead(a, q, k, a.Tensor("attn_mask"), func(n int, shape *kernel.Attention) {
		kernel.AttendBackward(shape, head(dq, n, q), head(dk, n, k), head(dv, n, v), head(g, n, q), head(out, n, q),
			func(i int) float64 { return logsums.float(logsums.at(n*shape.Q + i)) }, head(x, n, q), head(y, n, k), head(z, n, v))
	})
}

// safeSoftmax is softmax, but returns zeros for rows of minus infinity.
func safeSoftmax(a *Args) ([]*Tensor, error) {
	outs, err := a.softmax("softmax", &softmaxKernels)
	if err != nil {
		return nil, err
	}
	t, out := contiguous(a.Self()), outs[0]
	dim, _ := wrapDim(a.Int("dim"), t.Dim())
	n, step := 1, 1
	if t.Dim() > 0 {
		n, step = t.sizes[dim], numel(t.sizes[dim+1:])
	}
	for line := range t.Numel() / max(n, 1) {
		start := line/step*step*n + line%step
		hidden := true
		for i := 0; i < n && hidden; i++ {
			hidden = math.IsInf(t.float(t.offset+start+i*step), -1)
		}
		for i := 0; i < n && hidden; i++ {
			out.setElement(out.at(start+i*step), FloatScalar(0))
		}
	}
	return outs, nil
}
