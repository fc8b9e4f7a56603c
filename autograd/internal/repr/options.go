package repr

import "math"

// Sci says when floats are written in scientific notation.
type Sci uint8

const (
	SciAuto Sci = iota // decided by the elements (Python: None)
	SciOn              // always (True)
	SciOff             // never (False)
)

// Options holds the settings of torch.set_printoptions. The zero value is not
// useful; start from [DefaultOptions].
type Options struct {
	// Precision is the number of digits after the decimal point. A negative
	// number counts as zero; PyTorch fails when it prints a float with it.
	Precision int

	// Threshold is the largest number of elements that is printed in full; a
	// longer tensor is summarized. It may be infinite.
	Threshold float64

	// EdgeItems is how many entries a summary keeps at both ends of each
	// dimension. With zero, the shape is always shown. A negative number counts
	// as zero; PyTorch fails with it for two or more dimensions.
	EdgeItems int

	// LineWidth is the number of columns after which elements and suffixes go
	// to a new line. A line holds at least one element, however narrow it is.
	LineWidth int

	// SciMode overrides the notation. As in PyTorch, the column width remains
	// the width of the notation that would have been chosen.
	SciMode Sci

	// DefaultDType is the result of torch.get_default_dtype(); empty means
	// "float32". Set does not change it.
	DefaultDType string
}

// profiles are the named settings of set_printoptions.
var profiles = map[string]Options{
	"default": {Precision: 4, Threshold: 1000, EdgeItems: 3, LineWidth: 80},
	"short":   {Precision: 2, Threshold: 1000, EdgeItems: 2, LineWidth: 80},
	"full":    {Precision: 4, Threshold: math.Inf(1), EdgeItems: 3, LineWidth: 80},
}

// DefaultOptions returns PyTorch's initial settings.
func DefaultOptions() Options { return profiles["default"] }

// Change holds the arguments of one torch.set_printoptions call. Nil and ""
// stand for omitted arguments.
type Change struct {
	Precision *int
	Threshold *float64
	EdgeItems *int
	LineWidth *int
	Profile   string // "default", "short" or "full"; others are ignored
	SciMode   Sci    // always set; omitting it means SciAuto
}

// Set returns the options after torch.set_printoptions(c): it applies the
// profile, then the single settings.
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
