// Package graphviz turns DOT text into SVG, PNG and laid-out graphs.
//
// The layout is Graphviz's, by way of github.com/goccy/go-graphviz, which
// brings it along as WebAssembly: nothing has to be installed. That library
// has traits that a long-running program cannot live with (it leaks memory
// with each graph, goroutines corrupt each other's graphs, nothing stops it
// once it runs), so it never runs in the caller's process. The program starts
// itself again for each graph, and the second process draws, answers and ends:
//
//	func main() {
//		graphviz.ChildMain() // does not return in the second process
//		…
//	}
//
//	func TestMain(m *testing.M) {
//		graphviz.ChildMain()
//		m.Run()
//	}
//
// A program that does not call ChildMain gets ErrNoChildMain.
//
// The parts, from the outside in: Render and Layout check and repair the text
// (internal/dotlang) and find a child (process.go) to talk to (conversation.go)
// in a small protocol (protocol.go). At the other end is ChildMain (child.go),
// which calls internal/engine. What comes back is SVG, or DOT with the positions
// of everything and the drawing operations (package xdot), which becomes a
// Drawing (decode.go). A Drawing becomes a PNG by our own hand (png.go, paint.go,
// internal/raster) with fonts that are built in: the PNG of go-graphviz lacks
// outlines and fills curves with black (its issue 106).
//
// What go-graphviz does to programs that merely link it in, and what is done
// about that, is in internal/boot and dormant.
package graphviz

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/gradtui/gradtui/export/graphviz/internal/dotlang"
	"github.com/gradtui/gradtui/export/graphviz/internal/engine"

	"github.com/gradtui/gradtui/internal/race"
)

// Format is a kind of picture.
type Format string

const (
	SVG Format = "svg"
	PNG Format = "png"
)

// Formats are the formats that Render knows.
var Formats = []Format{SVG, PNG}

// Options bound the work on one graph. The zero value is ready to use.
type Options struct {
	// MaxProcessorTime is how much processor time the layout may take. What a
	// new process does before, such as compiling Graphviz for an empty cache,
	// does not count. 0 means DefaultMaxProcessorTime.
	MaxProcessorTime time.Duration
	// Timeout is how long the layout may take by the clock, not counting the
	// wait for other layouts. It is for machines that are so busy that they
	// hardly come to it. 0 means DefaultTimeout.
	Timeout time.Duration
	// MaxMemory is how many bytes of memory the layout may use. 0 means
	// DefaultMaxMemory. It is exact on Linux. Elsewhere it makes the child
	// economical, and 4 GiB is what the layout cannot exceed.
	MaxMemory int64
	// MaxInput and MaxOutput bound the size, in bytes, of the DOT text and of
	// what the layout makes of it. 0 means DefaultMaxInput and
	// DefaultMaxOutput.
	MaxInput, MaxOutput int64
	// PNG has the options for that format.
	PNG PNGOptions
}

const (
	// DefaultMaxProcessorTime is enough for some 5,000 operations of a neural
	// network, which take 4 s, and gives up on graphs that would take minutes.
	DefaultMaxProcessorTime = 30 * time.Second
	// DefaultTimeout lets a layout get a twentieth of a processor.
	DefaultTimeout = 10 * time.Minute
	// DefaultMaxMemory is five times what a network of 5,000 operations takes.
	DefaultMaxMemory = 1 << 30
	// DefaultMaxInput is the DOT text of about 300,000 nodes.
	DefaultMaxInput = 32 << 20
	// DefaultMaxOutput is about as much larger as Graphviz's output is.
	DefaultMaxOutput = 256 << 20
)

// withDefaults fills in what is not set.
func (o Options) withDefaults() Options {
	if o.MaxProcessorTime == 0 {
		o.MaxProcessorTime = DefaultMaxProcessorTime
		if race.Enabled { // a layout takes ten times as long
			o.MaxProcessorTime *= 10
		}
	}
	if o.Timeout == 0 {
		o.Timeout = DefaultTimeout
	}
	if o.MaxMemory == 0 {
		o.MaxMemory = DefaultMaxMemory
	}
	if o.MaxInput == 0 {
		o.MaxInput = DefaultMaxInput
	}
	if o.MaxOutput == 0 {
		o.MaxOutput = DefaultMaxOutput
	}
	return o
}

// Picture is a rendered graph.
type Picture struct {
	Format Format
	Bytes  []byte // the file
	// Size is the size of a PNG; for an SVG, the size of a PNG of the same drawing.
	// Size.Reduced reports whether the PNG has to be made coarser.
	Size PNGSize
}

// Render draws the graph of a DOT text.
//
// A text that is not DOT gives a *SyntaxError, an unknown format a
// *FormatError, a graph that is too much for opts a *LimitError, and one that
// Graphviz or its process fails on a *ChildError. When ctx ends, Render
// returns its error. In each case the child process is gone when Render
// returns, but for one: a process that still compiles Graphviz when ctx ends
// fills the cache for the next one, and ends then.
func Render(ctx context.Context, dot []byte, format Format, opts Options) (*Picture, error) {
	switch format {
	case SVG:
		svg, err := run(ctx, dot, engine.SVG, opts)
		if err != nil {
			return nil, err
		}
		return &Picture{Format: SVG, Bytes: cleanXML(svg), Size: svgSize(svg, opts.PNG)}, nil
	case PNG:
		d, err := Layout(ctx, dot, opts)
		if err != nil {
			return nil, err
		}
		var b bytes.Buffer
		size, err := d.WritePNG(ctx, &b, opts.PNG)
		if err != nil {
			return nil, err
		}
		return &Picture{Format: PNG, Bytes: b.Bytes(), Size: size}, nil
	}
	return nil, &FormatError{format}
}

// Layout computes where everything in the graph of a DOT text goes. It returns the
// same errors as Render.
func Layout(ctx context.Context, dot []byte, opts Options) (*Drawing, error) {
	text, err := run(ctx, dot, engine.XDOT, opts)
	if err != nil {
		return nil, err
	}
	d, err := decode(text)
	if err != nil {
		return nil, &ChildError{Message: fmt.Sprintf("cannot read Graphviz's layout: %v", err)}
	}
	return d, nil
}

// run checks and repairs a text and has a child process it.
func run(ctx context.Context, dot []byte, format engine.Format, opts Options) ([]byte, error) {
	opts = opts.withDefaults()
	if int64(len(dot)) > opts.MaxInput {
		return nil, &LimitError{What: "input", Limit: byteCount(opts.MaxInput)}
	}
	text, err := dotlang.Prepare(dot)
	if err != nil {
		return nil, publicError(err)
	}
	return runChild(ctx, job{Format: format, EmptyLabels: text.EmptyLabels}, text.Text, opts)
}

// formatNames lists the formats for people.
func formatNames() string {
	names := make([]string, len(Formats))
	for i, f := range Formats {
		names[i] = string(f)
	}
	return strings.Join(names, ", ")
}
