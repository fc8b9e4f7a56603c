package random

// Parameters of MT19937 (Matsumoto and Nishimura 1998), the 32-bit Mersenne
// Twister.
const (
	stateWords  = 624
	twistOffset = 397
	twistMatrix = 0x9908b0df
	upperBit    = 0x80000000
	lowerBits   = 0x7fffffff
	seedFactor  = 1812433253
)

// twister is the Mersenne Twister. It produces its words in blocks: twist
// replaces the state with the next 624 words, which are then drawn one by one.
type twister struct {
	words [stateWords]uint32
	// next is the index of the next word to draw; stateWords means that the
	// block is used up.
	next int
	// fresh says that no word has been drawn since seeding. It does not change
	// any result, but it shows in PyTorch's serialized state.
	fresh bool
}

// seed starts the sequence for s.
func (t *twister) seed(s uint32) {
	t.words[0] = s
	for i := 1; i < stateWords; i++ {
		s = seedFactor*(s^s>>30) + uint32(i)
		t.words[i] = s
	}
	t.next = stateWords
	t.fresh = true
}

// twist computes the next block of words.
func (t *twister) twist() {
	w := &t.words
	mix := func(high, low uint32) uint32 {
		y := high&upperBit | low&lowerBits
		return y>>1 ^ -(y&1)&twistMatrix
	}
	for i := range stateWords - twistOffset {
		w[i] = w[i+twistOffset] ^ mix(w[i], w[i+1])
	}
	for i := stateWords - twistOffset; i < stateWords-1; i++ {
		w[i] = w[i+twistOffset-stateWords] ^ mix(w[i], w[i+1])
	}
	w[stateWords-1] = w[twistOffset-1] ^ mix(w[stateWords-1], w[0])
	t.next = 0
	t.fresh = false
}

// temper converts a word of the state to a word of output.
func temper(y uint32) uint32 {
	y ^= y >> 11
	y ^= y << 7 & 0x9d2c5680
	y ^= y << 15 & 0xefc60000
	return y ^ y>>18
}

// word returns the next word of output.
func (t *twister) word() uint32 {
	if t.next >= stateWords {
		t.twist()
	}
	y := t.words[t.next]
	t.next++
	return temper(y)
}

// take draws up to limit words of the current block at once, and at least one
// if limit is positive. The caller tempers them.
func (t *twister) take(limit int) []uint32 {
	if t.next >= stateWords {
		t.twist()
	}
	end := min(t.next+limit, stateWords)
	w := t.words[t.next:end]
	t.next = end
	return w
}
