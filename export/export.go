package export

import (
	"context"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/graph"
)

// Format is a form that a graph can be written in.
type Format string

// The formats.
const (
	DOT     Format = "dot"
	SVG     Format = "svg"
	PNG     Format = "png"
	GIF     Format = "gif"
	Mermaid Format = "mermaid"
	JSON    Format = "json"
	Text    Format = "text"
)

// FormatInfo describes a format.
type FormatInfo struct {
	Format      Format
	Extension   string // of files, with the dot
	Description string
	// MaxNodes is the default of Options.MaxNodes; 0 means that the format
	// holds everything unless the caller sets a bound.
	MaxNodes int

	// spread bounds the spread of a plan that is reduced by default.
	spread int
	styles bool // it has all styles
	page   bool // it is looked at as it is, so that its shape matters
	hover  bool // it shows text at what the mouse points to
	film   bool // it shows a backward pass, node by node
	write  func(*job) error
}

// formats is the table of formats; the other parts of the package know each only
// from here.
var formats = []FormatInfo{
	{DOT, ".dot", "Graphviz's language, for other tools", 0, 0, true, false, false, false, (*job).dot},
	{SVG, ".svg", "a picture that scales, for browsers and documents", pictureNodes, pictureSpread, true, true, true, false, (*job).svg},
	{PNG, ".png", "a picture", pictureNodes, pictureSpread, true, true, false, false, (*job).png},
	{GIF, ".gif", "an animation of the newest backward pass", gifNodes, pictureSpread, true, true, false, true, (*job).gif},
	{Mermaid, ".mmd", "a flowchart for Markdown", mermaidNodes, 0, false, false, false, false, (*job).mermaid},
	{JSON, ".json", "everything about the graph, for programs", 0, 0, false, false, false, false, (*job).json},
	{Text, ".txt", "a tree for the terminal", textNodes, 0, false, false, false, false, (*job).text},
}

// Formats lists the formats.
func Formats() []FormatInfo { return slices.Clone(formats) }

// ParseFormat finds a format by its name ("mermaid") or its extension ("mmd",
// ".mmd"). The error is a *FormatError.
func ParseFormat(name string) (Format, error) {
	for _, f := range formats {
		if strings.EqualFold(name, string(f.Format)) || strings.EqualFold("."+strings.TrimPrefix(name, "."), f.Extension) {
			return f.Format, nil
		}
	}
	return "", &FormatError{Name: name}
}

// FormatOfFile finds a format by the extension of a file's name. The error is a
// *FormatError.
func FormatOfFile(path string) (Format, error) {
	ext := filepath.Ext(path)
	if ext == "" || ext == "." {
		return "", &FormatError{Name: path, File: true}
	}
	format, err := ParseFormat(ext)
	if err != nil {
		return "", &FormatError{Name: path, File: true}
	}
	return format, nil
}

// A job is one call of Write.
type job struct {
	ctx    context.Context
	w      io.Writer
	sel    *selection
	opts   *Options
	format *FormatInfo
	report *Report
	uncut  bool       // no columns
	layers *layers    // of a picture in that style
	hover  hoverTexts // of the newest picture that is to have them

	pass  graph.BackwardID // that an animation shows; zero: there is none
	drawn *plan            // of the newest picture
}

// Write writes the graph of some tensors. The same graph and options give the
// same bytes.
//
// A graph without tensors gives an *EmptyError, a format or style that does not
// exist a *FormatError or *StyleError, and a root that does not exist a
// *RootError. SVG and PNG pictures bring the errors of [graphviz.Render], and
// need a program that calls [graphviz.ChildMain]. What w returns is passed on.
func Write(ctx context.Context, w io.Writer, g *graph.Graph, format Format, opts Options) (*Report, error) {
	i := slices.IndexFunc(formats, func(f FormatInfo) bool { return f.Format == format })
	if i < 0 {
		return nil, &FormatError{Name: string(format)}
	}
	if int(opts.Style) >= len(styles) {
		return nil, &StyleError{opts.Style.String()}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var pass graph.BackwardID
	if formats[i].film {
		g, pass = animatedPass(g)
	}
	sel, err := selectGraph(g, &opts)
	if err != nil {
		return nil, err
	}
	j := &job{ctx: ctx, w: w, sel: sel, opts: &opts, format: &formats[i], report: &Report{Format: format}, pass: pass}
	j.report.describe(sel)
	if opts.Style == Layers && j.format.styles {
		j.layers = sel.layered()
		j.report.layers = len(j.layers.nodes)
	}
	if err := j.format.write(j); err != nil {
		return nil, err
	}
	return j.report, nil
}

// budget is how many boxes a picture may have, 0 for any number.
func (j *job) budget() int {
	switch {
	case j.opts.MaxNodes < 0:
		return 0
	case j.opts.MaxNodes > 0:
		return j.opts.MaxNodes
	}
	return j.format.MaxNodes
}
