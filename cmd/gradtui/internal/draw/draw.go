package draw

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/cli"
	"github.com/gradtui/gradtui/export"
	"github.com/gradtui/gradtui/export/graphviz"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect/lookup"
)

// File writes the graph behind some nodes into a file, whose name says the
// format, for the debugger.
func File(ctx context.Context, g *graph.Graph, roots []graph.NodeID, style export.Style, path string, overwrite bool) (said string, err error) {
	format, err := export.FormatOfFile(path)
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(path); err == nil && !overwrite {
		return "", fmt.Errorf("%s: %w", path, fs.ErrExist)
	}
	out, err := cli.Create(path, nil)
	if err != nil {
		return "", err
	}
	report, err := Write(ctx, out, g, format, export.Options{RootNodes: roots, Style: style})
	err = ExplainLimit(err, "use a file name that ends in .dot, which needs no layout")
	if err := out.Close(err); err != nil {
		return "", err
	}
	return fmt.Sprintf("%s: %s", path, report), nil
}

// Write exports a graph, including the shapes of results without a tensor.
func Write(ctx context.Context, w io.Writer, g *graph.Graph, format export.Format, opts export.Options) (*export.Report, error) {
	opts.Result = lookup.NewIndex(g.Tape()).Result
	return export.Write(ctx, w, g, format, opts)
}

// PNG draws the graph behind some nodes as a PNG, for the debugger.
func PNG(ctx context.Context, g *graph.Graph, roots []graph.NodeID, style export.Style, dpi float64) ([]byte, error) {
	var b bytes.Buffer
	_, err := Write(ctx, &b, g, export.PNG, export.Options{
		RootNodes: roots, Style: style,
		Graphviz: graphviz.Options{PNG: graphviz.PNGOptions{DPI: dpi}},
	})
	if err := ExplainLimit(err, "e writes a file that ends in .dot, which needs no layout"); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// SmallerHint names the flags that help against a layout that takes too much.
const SmallerHint = "use a smaller --max-nodes, or -o FILE.dot, which needs no layout"

// ExplainLimit adds a hint to an error about a layout that takes too much.
func ExplainLimit(err error, advice string) error {
	var limit *graphviz.LimitError
	switch {
	case !errors.As(err, &limit):
	case limit.Busy():
		return fmt.Errorf("%w; try again when the machine is less busy", err)
	default:
		return fmt.Errorf("%w; %s", err, advice)
	}
	return err
}
