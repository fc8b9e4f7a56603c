package autograd

import (
	"math"

	"github.com/gradtui/gradtui/autograd/internal/kernel"
)

var embeddingOps = []Op{
	{
		Schema: "embedding(Tensor weight, Tensor indices, int padding_idx=-1, bool scale_grad_by_freq=False, bool sparse=False) -> Tensor",
		In:     Torch, Go: "-", Node: "EmbeddingBackward0", Attrs: "padding_idx scale_grad_by_freq sparse weight_sym_argsize_0", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) {
			weight, indices := a.Tensor("weight"), a.Tensor("indices")
			if weight.Dim() != 2 {
				return nil, fail(RuntimeError, CodeShape, "'weight' must be 2-D")
			}
			if err := checkIndexType("embedding", indices); err != nil {
				return nil, err
			}
			return a.One(pickRows(weight, indices))
		},
		VJP: []Formula{{Input: "weight", Uses: "indices", Of: func(c *Ctx) *Tensor {
			a := c.Args()
			if a.Bool("sparse") {
				return errTensor(fail(RuntimeError, CodeUnsupported, "embedding(): sparse gradients are not supported by this engine"))
			}
			return fnEmbeddingDenseBackward.single(nil, c.Grad(), c.Saved("indices"), c.Shape("weight")[0], a.Int("padding_idx"), a.Bool("scale_grad_by_freq"))
		}}},
	},
	{
		Schema: "embedding_dense_backward(Tensor grad_output, Tensor indices, int num_weights, int padding_idx, bool scale_grad_by_freq) -> Tensor",
		In:     Hidden, Go: "-", Node: "EmbeddingDenseBackwardBackward0", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) { return a.One(sumRows(a)) },
		VJP: []Formula{{Input: "grad_output", Uses: "indices", Of: func(c *Ctx) *Tensor {
			indices := c.Saved("indices")
			if indices.err != nil {
				return indices
			}
			rows := c.Grad().IndexSelect(0, indices.Reshape([]int{-1}))
			if padding := c.Args().Int("padding_idx"); padding >= 0 && rows.err == nil {
				if err := rows.MaskedFill_(indices.Eq(padding).Reshape([]int{-1, 1}), 0); err != nil {
					return errTensor(err)
				}
			}
			return rows.View(append(append([]int(nil), indices.sizes...), -1))
		}}},
	},
	{
		Schema: "embedding_renorm_(Tensor self, Tensor indices, float max_norm, float norm_type) -> Tensor", In: Torch, Go: "-",
		Mutate: embeddingRenorm,
	},
	{
		Schema: "nn_functional_embedding(Tensor input, Tensor weight, int? padding_idx=None, float? max_norm=None, float norm_type=2.0, bool scale_grad_by_freq=False, bool sparse=False) -> Tensor",
		In:     Functional, Go: "Embedding",
		Compose: func(a *Args) ([]*Tensor, error) {
			input, weight, padding := a.Tensor("input"), a.Tensor("weight"), -1
			if a.Has("padding_idx") {
				padding = a.Int("padding_idx")
				n := 0
				if weight.Dim() > 0 {
					n = weight.sizes[0]
				}
				if padding > 0 && padding >= n || padding < -n {
					return nil, fail(AssertionError, CodeArgument, "Padding_idx must be within num_embeddings")
				}
				if padding < 0 {
					padding += n
				}
			}
			if a.Has("max_norm") {
				input = input.Contiguous()
				if err := renormalise(weight, input, a.Float("max_norm"), a.Float("norm_type")); err != nil {
					return nil, err
				}
			}
			return fnEmbedding.list(nil, weight, input, padding, a.Bool("scale_grad_by_freq"), a.Bool("sparse"))
		},
	},
	{
		Schema: "nn_functional_one_hot(Tensor input, int num_classes=-1) -> Tensor", In: Functional, Go: "OneHot",
		Forward: oneHot,
	},
}

// renormalise calls embedding_renorm_ with grad mode off, as
// torch.nn.functional does.
func renormalise(weight, input *Tensor, maxNorm, normType float64) (err error) {
	NoGrad(func() { err = fnEmbeddingRenorm_.inPlace(nil, weight, input, maxNorm, normType) })
	return err
}

// checkIndexType returns an error for indices that are not int64 or int32.
func checkIndexType(name string, indices *Tensor) error {
	if d := indices.dtype; d != Int64 && d != Int32 {
		shown := typeString(d)
		if d == Bool {
			shown = "CPUBoolType"
		}
		return fail(RuntimeError, CodeDType, "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got %s instead (while checking arguments for %s)", shown, name)
	}
	return nil
}

// pickRows returns the rows of a matrix at the indices.
func pickRows(weight, indices *Tensor) *Tensor {
	rows, width := weight.sizes[0], weight.sizes[1]
	out := alloc(weight.dtype, append(append([]int(nil), indices.sizes...), width))
	list := elements[int64](contiguous(indices))
	for _, i := range list {
		switch {
		case rows == 0:
			return errTensor(fail(RuntimeError, CodeIndex, "index_select(): self indexing axis dim should be positive"))
		case i < 0 || int(i) >= rows:
			return errTensor(fail(IndexError, CodeIndex, "index out of range in self"))
		}
	}
	w := contiguous(weight)
	switch classOf(w.dtype) {
	case f32Class:
		kernel.PickRows(elements[float32](out), elements[float32](w), list, width)
	case f64Class:
		kernel.PickRows(elements[float64](out), elements[float64](w), list, width)
	case i64Class:
		kernel.PickRows(elements[int64](out), elements[int64](w), list, width)
	default:
		kernel.PickRows(elements[bool](out), elements[bool](w), list, width)
	}
	return out
}

// sumRows returns the gradient of an embedding's weight: for each row, the sum
// of the gradients of its uses.
func sumRows(a *Args) *Tensor {
	g := contiguous(a.Tensor("grad_output"))
	n, padding := a.Int("num_weights"), int64(a.Int("padding_idx"))
	width := g.sizes[len(g.sizes)-1]
	out := alloc(g.dtype, []int{n, width})
	list := elements[int64](contiguous(a.Tensor("indices")))
	var counts []int
	if a.Bool("scale_grad_by_freq") {
		counts = make([]int, n)
		for _, i := range list {
			counts[i]++
		}
	}
	if classOf(g.dtype) == f32Class {
		kernel.AddRows(elements[float32](out), elements[float32](g), list, width, padding, counts)
	} else {
		kernel.AddRows(elements[float64](out), elements[float64](g), list, width, padding, counts)
	}
	return rounded(out)
}

// embeddingRenorm scales down the rows at the indices whose norm is too large.
func embeddingRenorm(a *Args) error {
	w, indices := a.Self(), a.Tensor("indices")
	if w.Dim() != 2 {
		return fail(RuntimeError, CodeShape, "Expected 2-dimensional tensor, but got %d-dimensional tensor for argument #1 'self' (while checking arguments for embedding_renorm_)", w.Dim())
	}
	if err := checkIndexType("embedding_renorm_", indices); err != nil {
		return err
	}
	seen := map[int64]bool{}
	for _, i := range elements[int64](contiguous(indices)) {
		if i < 0 || int(i) >= w.sizes[0] {
			return fail(IndexError, CodeIndex, "select(): index %d out of range for tensor of size %s at dimension 0", i, shapeText(w.sizes))
		}
		if seen[i] {
			continue
		}
		seen[i] = true
		at := func(j int) int { return w.offset + int(i)*w.strides[0] + j*w.strides[1] }
		norm := rowNorm(w, at, a.Float("norm_type"))
		if norm <= a.Float("max_norm") {
			continue
		}
		scale := a.Float("max_norm") / (norm + 1e-7)
		for j := range w.sizes[1] {
			x := w.float(at(j))
			if classOf(w.dtype) == f32Class {
				w.setElement(at(j), FloatScalar(float64(float32(x)*float32(scale))))
			} else {
				w.setElement(at(j), FloatScalar(x*scale))
			}
		}
	}
	return nil
}

func rowNorm(w *Tensor, at func(j int) int, p float64) float64 {
	norm := 0.0
	for j := range w.sizes[1] {
		x := math.Abs(w.float(at(j)))
		if math.IsInf(p, 1) {
			norm = max(norm, x)
		} else {
			norm += math.Pow(x, p)
		}
	}
	if !math.IsInf(p, 1) {
		norm = math.Pow(norm, 1/p)
	}
	if classOf(w.dtype) == f32Class {
		return float64(float32(norm))
	}
	return norm
}

// oneHot returns a 1 at the position of each class, and 0 elsewhere. PyTorch
// fills zeros in place, which shows in the version of the result.
func oneHot(a *Args) ([]*Tensor, error) {
	t, classes := a.Tensor("input"), a.Int("num_classes")
	if t.dtype != Int64 {
		return nil, fail(RuntimeError, CodeDType, "one_hot is only applicable to index tensor of type LongTensor.")
	}
	list := elements[int64](contiguous(t))
	if len(list) == 0 {
		if classes <= 0 {
			return nil, fail(RuntimeError, CodeShape, "Can not infer total number of classes from empty tensor.")
		}
		return a.One(alloc(Int64, append(append([]int(nil), t.sizes...), classes)))
	}
	most := list[0]
	for _, i := range list {
		if most = max(most, i); i < 0 {
			return nil, fail(RuntimeError, CodeIndex, "Class values must be non-negative.")
		}
	}
	if classes == -1 {
		classes = int(most) + 1
	} else if classes <= int(most) {
		return nil, fail(RuntimeError, CodeIndex, "Class values must be smaller than num_classes.")
	}
	out := alloc(Int64, append(append([]int(nil), t.sizes...), classes))
	hot := elements[int64](out)
	for n, i := range list {
		hot[n*classes+int(i)] = 1
	}
	out.version.v = 2
	return a.One(out)
}
