package autograd

import "github.com/gradtui/gradtui/autograd/internal/kernel"

// Sequences of different lengths, packed by steps.

var sequenceOps = []Op{
	{
		Schema: "_pack_padded_sequence(Tensor input, Tensor lengths, bool batch_first) -> (Tensor, Tensor)",
		In:     Torch, Go: "-", Node: "PackPaddedSequenceBackward0", Constant: "result1", Attrs: "batch_first input_sym_sizes", JVP: linear,
		Forward: packSequences,
		VJP:     []Formula{{Input: "input", Uses: "result1", Of: unpackGradient}},
	},
}

// packSequences concatenates the steps of all sequences. The lengths are in
// decreasing order. The second result is the number of sequences at each step.
func packSequences(a *Args) ([]*Tensor, error) {
	input, lengths := a.Tensor("input"), a.Tensor("lengths")
	if input.Numel() == 0 {
		return nil, fail(RuntimeError, CodeShape, "Cannot pack empty tensors.")
	}
	time, batch := 0, 1
	if a.Bool("batch_first") {
		time, batch = 1, 0
	}
	if input.Dim() < 2 {
		return nil, fail(IndexError, CodeIndex, "Dimension out of range (expected to be in range of [-1, 0], but got 1)")
	}
	if lengths.dtype != Int64 {
		return nil, fail(RuntimeError, CodeDType, "'lengths' argument should be a 1D CPU int64 tensor, but got %dD cpu %s tensor", lengths.Dim(), scalarTypeName(lengths.dtype))
	}
	count, n := indexValues(lengths), input.sizes[batch]
	if len(count) != n {
		return nil, fail(RuntimeError, CodeShape, "Expected `len(lengths)` to be equal to batch_size, but got %d (batch_size=%d)", len(count), n)
	}
	if count[n-1] <= 0 {
		return nil, fail(RuntimeError, CodeArgument, "Length of all samples has to be greater than 0, but found an element in 'lengths' that is <= 0")
	}
	for i := range n - 1 {
		if count[n-1-i] > count[n-2-i] {
			return nil, fail(RuntimeError, CodeArgument, "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You can pass `enforce_sorted=False` to pack_padded_sequence and/or pack_sequence to sidestep this requirement if you do not need ONNX exportability.")
		}
	}
	steps := alloc(Int64, []int{count[0]})
	var from []int
	alive := n
	for step := range count[0] {
		for count[alive-1] <= step {
			alive--
		}
		steps.st.other.i64[step] = int64(alive)
		for i := 0; i < alive && step < input.sizes[time]; i++ {
			from = append(from, step*input.strides[time]+i*input.strides[batch])
		}
	}
	out := alloc(input.dtype, append([]int{len(from)}, input.sizes[2:]...))
	moveBlocks(out, input, &kernel.Blocks{
		DstBlock: out.stepsAlong(0, len(from)), SrcBlock: from,
		DstElement: out.slicePlaces(0),
		SrcElement: kernel.Places(input.sizes[2:], input.strides[2:], input.offset),
	})
	return []*Tensor{out, steps}, nil
}

// unpackGradient moves the rows of a packed gradient back to their sequences.
// Padding gets no gradient.
func unpackGradient(c *Ctx) *Tensor {
	sizes := append([]int(nil), c.Shape("input")...)
	first := c.Args().Bool("batch_first")
	if first {
		sizes[0], sizes[1] = sizes[1], sizes[0]
	}
	var rows []int64
	for step, alive := range indexValues(c.Saved("result1")) {
		for i := range alive {
			rows = append(rows, int64(step*sizes[1]+i))
		}
	}
	flat := append([]int{sizes[0] * sizes[1]}, sizes[2:]...)
	g := mutated(alloc(c.Grad().dtype, flat), func(t *Tensor) error {
		return t.IndexAdd_(0, New(rows), c.Grad())
	}).View(sizes)
	if first {
		return g.Transpose(0, 1)
	}
	return g
}
