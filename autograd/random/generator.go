package random

// A Generator draws random numbers like a CPU torch.Generator. Make one with
// [New]; the zero Generator is unseeded and draws only zeros. Methods and
// samplers must not run at the same time on one Generator.
type Generator struct {
	mt        twister
	seed      uint64
	normal    float64 // the cached second value of a scalar normal draw
	hasNormal bool
}

// New returns a Generator seeded as by torch.manual_seed(seed). For a negative
// Python seed s, pass uint64(int64(s)).
func New(seed uint64) *Generator {
	g := new(Generator)
	g.Seed(seed)
	return g
}

// Seed restarts the sequence and discards the cached normal value. Only the low
// 32 bits of seed select the sequence.
func (g *Generator) Seed(seed uint64) {
	g.seed = seed
	g.hasNormal = false
	g.normal = 0
	g.mt.seed(uint32(seed))
}

// InitialSeed returns all 64 bits of the last seed.
func (g *Generator) InitialSeed() uint64 { return g.seed }

// Uint32 returns the next word of the sequence.
func (g *Generator) Uint32() uint32 { return g.mt.word() }

// Uint64 returns the next two words, the first one in the high half.
func (g *Generator) Uint64() uint64 {
	high := uint64(g.mt.word())
	return high<<32 | uint64(g.mt.word())
}

// Uniform32 returns a multiple of 2^-24 in [0, 1), made from one word.
func (g *Generator) Uniform32() float32 { return unit32(g.mt.word()) }

// Uniform64 returns a multiple of 2^-53 in [0, 1), made from two words.
func (g *Generator) Uniform64() float64 {
	return float64(g.Uint64()&(1<<53-1)) * 0x1p-53
}

// unit32 maps a word of output to [0, 1).
func unit32(word uint32) float32 { return float32(word&(1<<24-1)) * 0x1p-24 }
