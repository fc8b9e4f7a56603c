package repr

import "math"

// Sci says when floats are written in scientific notation.
type Sci uint8

const (
	SciAuto Sci = iota // decided from the elements (Python: None)
	SciOn              // always (True)
	SciOff             // never (False)
)

// Options are the settings of torch.set_printoptions. The zero value is not
// useful: start from [DefaultOptions].
type Options struct {
	// Precision is the number of digits after the decimal point. Below zero
	// counts as zero, where PyTorch fails when it prints a float.
	Precision int

	// Threshold is the largest number of elements printed in full; a longer
	// tensor is summarised. It may be infinite.
	Threshold float64

	// EdgeItems is how many entries a summary keeps at either end of each
	// dimension. With zero the shape is always shown. Below zero counts as
	// zero, where PyTorch fails for two or more dimensions.
	EdgeItems int

	// LineWidth is the number of columns before elements and suffixes go to a
	// new line. A line holds at least one element, however narrow.
	LineWidth int

	// SciMode overrides the choice of notation. The column width is still the
	// one of the notation that would have been chosen, as in PyTorch.
	SciMode Sci

	// DefaultDType is what torch.get_default_dtype() names; empty means
	// "float32". Set leaves it alone.
	DefaultDType string
}

// profiles are the base settings that set_printoptions knows by name.
var profiles = map[string]Options{
	"default": {Precision: 4, Threshold: 1000, EdgeItems: 3, LineWidth: 80},
	"short":   {Precision: 2, Threshold: 1000, EdgeItems: 2, LineWidth: 80},
	"full":    {Precision: 4, Threshold: math.Inf(1), EdgeItems: 3, LineWidth: 80},
}

// DefaultOptions returns the settings PyTorch starts with.
func DefaultOptions() Options { return profiles["default"] }

// Change holds the arguments of one torch.set_printoptions call. Nil and ""
// stand for arguments left out.
type Change struct {
	Precision *int
	Threshold *float64
	EdgeItems *int
	LineWidth *int
	Profile   string // "default", "short" or "full"; others are ignored
	SciMode   Sci    // always taken over: leaving it out means SciAuto
}

// Set returns the options after torch.set_printoptions(c): first the profile,
// then the single settings.
func (o Options) Set(c Change) Options {
	if p, ok := profiles[c.Profile]; ok {
		p.DefaultDType = o.DefaultDType
		o = p
	}
	replace(&o.Precision, c.Precision)
	replace(&o.Threshold, c.Threshold)
	replace(&o.EdgeItems, c.EdgeItems)
	replace(&o.LineWidth, c.LineWidth)
	o.SciMode = c.SciMode
	return o
}

// replace sets *dst to *src unless src is nil.
func replace[T any](dst, src *T) {
	if src != nil {
		*dst = *src
	}
}

func (o Options) precision() int { return max(0, o.Precision) }

func (o Options) edge() int { return max(0, o.EdgeItems) }

func (o Options) defaultDType() string {
	if o.DefaultDType == "" {
		return "float32"
	}
	return o.DefaultDType
}
