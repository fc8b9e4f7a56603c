package random

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// State is the complete state of a Generator: the seed, the position in the
// sequence and the cached normal value. States are values: they can be copied,
// compared with == and set on any Generator. Get one from [Generator.State] or
// [ParseState].
type State struct{ g Generator }

// State returns the present state.
func (g *Generator) State() State { return State{*g} }

var errInvalidState = errors.New("Invalid mt19937 state")

// SetState makes g continue from where s was taken. The zero State is an error.
func (g *Generator) SetState(s State) error {
	if s.g.mt.words == [stateWords]uint32{} {
		return errInvalidState
	}
	*g = s.g
	return nil
}

// Layout of the bytes of torch.get_rng_state(), a CPUGeneratorImplState: the
// seed (8 bytes), the number of words left in the block plus one (4), a flag
// that it is seeded (4), the index of the next word (8), and the words, 8 bytes
// each. Three float64 follow; the second is the cached normal value. Then comes
// a flag (4) that it is present. The rest is a cached float32 normal, which the
// CPU never has, and padding. All numbers are little-endian.
const (
	stateBytes       = 5056
	legacyStateBytes = 5048

	leftAt      = 8
	seededAt    = 12
	nextAt      = 16
	wordsAt     = 24
	normalAt    = wordsAt + 8*stateWords + 8
	hasNormalAt = normalAt + 16
)

// Bytes returns s as torch.get_rng_state() of PyTorch 2.6 on x86-64 does: 5056
// bytes.
func (s State) Bytes() []byte {
	g := &s.g
	le := binary.LittleEndian
	b := make([]byte, stateBytes)
	le.PutUint64(b, g.seed)
	le.PutUint32(b[seededAt:], 1)
	next, left := g.mt.next, stateWords+1-g.mt.next
	if g.mt.fresh {
		next, left = 0, 1
	}
	le.PutUint32(b[leftAt:], uint32(left))
	le.PutUint64(b[nextAt:], uint64(next))
	for i, w := range g.mt.words {
		le.PutUint64(b[wordsAt+8*i:], uint64(w))
	}
	if g.hasNormal {
		le.PutUint64(b[normalAt:], math.Float64bits(g.normal))
		le.PutUint32(b[hasNormalAt:], 1)
	}
	return b
}

// ParseState parses bytes from [State.Bytes] or torch.get_rng_state(). The
// 5048-byte state of older PyTorch, and positions that PyTorch never writes,
// are errors.
func ParseState(b []byte) (State, error) {
	if len(b) == legacyStateBytes {
		return State{}, errors.New("random: the 5048-byte generator state of older PyTorch is not supported")
	}
	if len(b) != stateBytes {
		return State{}, fmt.Errorf("Expected either a CPUGeneratorImplStateLegacy of size %d or a CPUGeneratorImplState of size %d but found the input RNG state size to be %d", legacyStateBytes, stateBytes, len(b))
	}
	le := binary.LittleEndian
	var s State
	g := &s.g
	g.seed = le.Uint64(b)
	left, next := le.Uint32(b[leftAt:]), le.Uint64(b[nextAt:])
	switch {
	case le.Uint32(b[seededAt:]) != 1:
		return State{}, errInvalidState
	case next == 0 && left == 1:
		g.mt.next, g.mt.fresh = stateWords, true
	case next >= 1 && next <= stateWords && uint64(left) == stateWords+1-next:
		g.mt.next = int(next)
	default:
		return State{}, errInvalidState
	}
	for i := range g.mt.words {
		w := le.Uint64(b[wordsAt+8*i:])
		if w > math.MaxUint32 {
			return State{}, errInvalidState
		}
		g.mt.words[i] = uint32(w)
	}
	if le.Uint32(b[hasNormalAt:]) != 0 {
		g.hasNormal = true
		g.normal = math.Float64frombits(le.Uint64(b[normalAt:]))
	}
	return s, nil
}
