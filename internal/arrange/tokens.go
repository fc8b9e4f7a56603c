package arrange

import "encoding/binary"

// tokens reduces the elements of a sequence to numbers: equal ones for elements of
// the same kind that use the same other elements, seen from there. What an element
// uses is described by when that was last used, counted back in uses. In a repeated
// block all of that repeats: an intermediate result was made a certain number of uses
// ago, and a weight that all blocks share was last used in the block before.
//
// An element is described by text, add and use, in an order that is the same for all
// elements of a kind; end gives its number.
type tokens struct {
	numbers map[string]int32
	touched []int32 // by what is used: the time of the newest use
	clock   int32
	began   int32
	key     []byte
}

// What an element is, which its description begins with.
const (
	nodeToken = iota
	callToken
	repetitionToken
)

// newTokens returns tokens for elements that use things from 0 to n-1.
func newTokens(n int) *tokens {
	return &tokens{numbers: map[string]int32{}, touched: make([]int32, n)}
}

// restart forgets all uses, for another sequence. Numbers stay comparable.
func (t *tokens) restart() { t.began = t.clock }

// text adds a text to the description of the element.
func (t *tokens) text(s string) { t.key = append(append(t.key, s...), 0) }

// add adds a number to the description of the element.
func (t *tokens) add(n int) { t.key = binary.AppendUvarint(t.key, uint64(n)) }

// use adds how long ago something was used, and uses it.
func (t *tokens) use(i int) {
	t.clock++
	age := int32(0)
	if t.touched[i] > t.began {
		age = t.clock - t.touched[i]
	}
	t.touched[i] = t.clock
	t.key = binary.AppendUvarint(t.key, uint64(age))
}

// end ends the description of the element.
func (t *tokens) end() int32 {
	n, ok := t.numbers[string(t.key)]
	if !ok {
		n = int32(len(t.numbers))
		t.numbers[string(t.key)] = n
	}
	t.key = t.key[:0]
	return n
}

// repetition gives the number of a run of some numbers.
func (t *tokens) repetition(numbers []int32, r run) int32 {
	t.add(repetitionToken)
	t.add(r.times())
	for _, n := range numbers[r.Start : r.Start+r.Period] {
		t.add(int(n))
	}
	return t.end()
}

// crossings says, for the place in front of each element and the one at the end, how
// many links lead over it.
type crossings []int32

// newCrossings returns crossings without links for n elements.
func newCrossings(n int) crossings { return make(crossings, n+1) }

// link adds a link between two elements.
func (c crossings) link(from, to int) {
	if from != to {
		c[min(from, to)+1]++
		c[max(from, to)+1]--
	}
}

// sum completes the numbers after the last link.
func (c crossings) sum() {
	for i := range c[1:] {
		c[i+1] += c[i]
	}
}
