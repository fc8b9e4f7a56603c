package audit

import (
	"slices"

	"github.com/gradtui/gradtui/graph"
)

// A column is a part of a tangent. Column 0, visible, is what autograd can see: it came from the
// leaves along recorded operations only. Each other column came through one cut.
type column int

const visible column = 0

// A storage is the memory that tensors share, in double precision, with its tangents.
type storage struct {
	values   []float64
	tangents map[column][]float64    // no entry: zeros
	users    int                     // tensors that show it
	blank    bool                    // nothing is known of what it holds
	leaves   map[graph.TensorID]bool // that it was computed of in the step
}

// depend notes a leaf that the memory was computed of.
func (s *storage) depend(leaf graph.TensorID) {
	if s.leaves == nil {
		s.leaves = map[graph.TensorID]bool{}
	}
	s.leaves[leaf] = true
}

// computedOf notes that the memory was computed of other memory.
func (s *storage) computedOf(other *storage) {
	for leaf := range other.leaves {
		s.depend(leaf)
	}
}

// dependsOnly reports whether the memory was computed of no other leaf than this one.
func (s *storage) dependsOnly(leaf *tensor) bool {
	return leaf != nil && len(s.leaves) == 1 && s.leaves[leaf.id]
}

// grow makes room for n elements.
func (s *storage) grow(n int) {
	if n > len(s.values) {
		s.values = append(s.values, make([]float64, n-len(s.values))...)
	}
}

// tangent returns a column of the whole storage, to be written.
func (s *storage) tangent(c column) []float64 {
	list := s.tangents[c]
	if len(list) < len(s.values) {
		list = append(list, make([]float64, len(s.values)-len(list))...)
		s.tangents[c] = list
	}
	return list
}

// A tensor is a tensor of the program.
type tensor struct {
	id       graph.TensorID
	memory   *storage
	storage  graph.StorageID
	dtype    graph.DType
	shape    []int
	strides  []int // in elements; empty: contiguous
	offset   int
	node     graph.NodeID   // its grad_fn; zero for a leaf
	output   uint32         // which result of the node it is
	requires bool           // the flag of a leaf
	family   graph.TensorID // it and its views have one history for autograd; detach() and .data begin another one
	inner    bool           // made in the forward of a custom Function that still runs
	made     origin         // where it came into being
	cut      column         // the cut that it stands behind; 0: none is known
	recorded graph.Value    // what the tape says of its content
}

// seen reports whether autograd takes the tensor for something that depends on leaves.
func (t *tensor) seen() bool { return t.node != 0 || t.requires || t.inner }

// fits reports whether the tensor is one of which a tape can have all elements, and lies in memory as tensors do. Others are
// not followed: a tape may say anything.
func (t *tensor) fits() bool {
	if t.offset < 0 || len(t.strides) != 0 && len(t.strides) != len(t.shape) {
		return false
	}
	count, extent := 1, t.offset
	for d, n := range t.shape {
		if n < 0 || n > 0 && count > graph.MostElements/n {
			return false
		}
		count *= n
		if len(t.strides) > 0 && n > 1 {
			if stride := t.strides[d]; stride < 0 || stride > mostExtent/(n-1) {
				return false
			}
			extent += t.strides[d] * (n - 1)
		}
		if extent > mostExtent {
			return false
		}
	}
	return true
}

// mostExtent bounds where in its memory a tensor may lie, in elements.
const mostExtent = 1 << 24

// known are the elements that the tape has; nil if it does not have all.
func (t *tensor) known() []float64 {
	if v := t.recorded; v.Whole() && len(v.First) == t.count() {
		return v.First
	}
	return nil
}

// count is the number of elements.
func (t *tensor) count() int { return size(t.shape) }

// places returns where the elements lie in the storage, in row-major order.
func (t *tensor) places() []int {
	n := t.count()
	places := make([]int, n)
	if len(t.strides) == 0 {
		for i := range places {
			places[i] = t.offset + i
		}
		return places
	}
	index := make([]int, len(t.shape))
	at := t.offset
	for i := range places {
		places[i] = at
		for d := len(index) - 1; d >= 0; d-- {
			index[d]++
			at += t.strides[d]
			if index[d] < t.shape[d] {
				break
			}
			at -= t.strides[d] * index[d]
			index[d] = 0
		}
	}
	return places
}

// gather returns the elements of a list that is as long as the storage, in row-major order.
func gather(list []float64, places []int) []float64 {
	out := make([]float64, len(places))
	for i, at := range places {
		if at < len(list) {
			out[i] = list[at]
		}
	}
	return out
}

func scatter(list, elements []float64, places []int) {
	for i, at := range places {
		list[at] = elements[i]
	}
}

// content is what a tensor holds: its elements and the columns that are not zero.
type content struct {
	values   []float64
	tangents map[column][]float64
}

func (t *tensor) read() content {
	places := t.places()
	t.memory.grow(highest(places) + 1)
	c := content{gather(t.memory.values, places), map[column][]float64{}}
	for k, list := range t.memory.tangents {
		if part := gather(list, places); !zero(part) {
			c.tangents[k] = part
		}
	}
	return c
}

func (t *tensor) write(c content) {
	places := t.places()
	t.memory.grow(highest(places) + 1)
	if c.values != nil {
		t.memory.blank = false
		scatter(t.memory.values, c.values, places)
	}
	for k := range t.memory.tangents {
		if c.tangents[k] == nil {
			list := t.memory.tangent(k)
			for _, at := range places {
				list[at] = 0
			}
		}
	}
	for k, list := range c.tangents {
		scatter(t.memory.tangent(k), list, places)
	}
}

func highest(places []int) int {
	if len(places) == 0 {
		return -1
	}
	return slices.Max(places)
}

func zero(list []float64) bool {
	return !slices.ContainsFunc(list, func(x float64) bool { return x != 0 })
}

// add adds a list to a column.
func (c *content) add(k column, list []float64, factor float64) {
	sum := make([]float64, len(list))
	copy(sum, c.tangents[k])
	for i, x := range list {
		sum[i] += factor * x
	}
	if zero(sum) {
		delete(c.tangents, k)
		return
	}
	c.tangents[k] = sum
}

func dot(a, b []float64) (sum, size float64) {
	for i := range min(len(a), len(b)) {
		x := a[i] * b[i]
		sum += x
		if x < 0 {
			x = -x
		}
		size += x
	}
	return sum, size
}
