package arrange

import "encoding/binary"

// Tokens reduces the elements of a sequence to numbers: equal ones for elements of
// the same kind that use the same other elements, seen from there. What an element
// uses is described by when that was last used, counted back in uses. In a repeated
// block all of that repeats: an intermediate result was made a certain number of uses
// ago, and a weight that all blocks share was last used in the block before.
//
// An element is described by [Tokens.Text], [Tokens.Number] and [Tokens.Use], in any
// order that is the same for all elements of a kind; [Tokens.End] gives its number.
type Tokens struct {
	numbers map[string]int32
	touched []int32 // by what is used: the time of the newest use
	clock   int32
	began   int32
	key     []byte
}

// NewTokens returns Tokens for elements that use things from 0 to n-1.
func NewTokens(n int) *Tokens {
	return &Tokens{numbers: map[string]int32{}, touched: make([]int32, n)}
}

// Restart forgets all uses, for another sequence. Numbers stay comparable.
func (t *Tokens) Restart() { t.began = t.clock }

// Text adds a text to the description of the element.
func (t *Tokens) Text(s string) { t.key = append(append(t.key, s...), 0) }

// Number adds a number to the description of the element.
func (t *Tokens) Number(n int) { t.key = binary.AppendUvarint(t.key, uint64(n)) }

// Used reports whether something was used since the start.
func (t *Tokens) Used(i int) bool { return t.touched[i] > t.began }

// Use adds how long ago something was used, and uses it.
func (t *Tokens) Use(i int) {
	t.clock++
	age := int32(0)
	if t.Used(i) {
		age = t.clock - t.touched[i]
	}
	t.touched[i] = t.clock
	t.key = binary.AppendUvarint(t.key, uint64(age))
}

// End ends the description of the element.
func (t *Tokens) End() int32 {
	n, ok := t.numbers[string(t.key)]
	if !ok {
		n = int32(len(t.numbers))
		t.numbers[string(t.key)] = n
	}
	t.key = t.key[:0]
	return n
}

// Crossings says, for the place in front of each element and the one at the end, how
// many links lead over it.
type Crossings []int32

// NewCrossings returns Crossings without links for n elements.
func NewCrossings(n int) Crossings { return make(Crossings, n+1) }

// Link adds a link between two elements.
func (c Crossings) Link(from, to int) {
	if from != to {
		c[min(from, to)+1]++
		c[max(from, to)+1]--
	}
}

// sum completes the numbers after the last link.
func (c Crossings) sum() {
	for i := range c[1:] {
		c[i+1] += c[i]
	}
}
