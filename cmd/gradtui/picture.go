package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/gradtui/gradtui/export"
	"github.com/gradtui/gradtui/export/graphviz"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

// exportFile writes the graph behind some nodes into a file, whose name says the
// format, for the debugger.
func exportFile(ctx context.Context, g *graph.Graph, roots []graph.NodeID, path string, overwrite bool) (said string, err error) {
	format, err := export.FormatOfFile(path)
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(path); err == nil && !overwrite {
		return "", fmt.Errorf("%s: %w", path, fs.ErrExist)
	}
	out, err := openOutput(path, nil)
	if err != nil {
		return "", err
	}
	report, err := writeGraph(ctx, out, g, format, export.Options{RootNodes: roots})
	err = explainExport(err, "a file that ends in .dot needs no layout")
	if err := out.close(err); err != nil {
		return "", err
	}
	return fmt.Sprintf("%s: %s", path, report), nil
}

// writeGraph exports a graph with the shapes of results that no tensor is.
func writeGraph(ctx context.Context, w io.Writer, g *graph.Graph, format export.Format, opts export.Options) (*export.Report, error) {
	opts.Result = inspect.NewTrace(g.Tape()).Result
	return export.Write(ctx, w, g, format, opts)
}

// drawPicture draws the graph behind some nodes as a PNG, for the debugger.
func drawPicture(ctx context.Context, g *graph.Graph, roots []graph.NodeID, dpi float64) ([]byte, error) {
	var b bytes.Buffer
	_, err := writeGraph(ctx, &b, g, export.PNG, export.Options{
		RootNodes: roots,
		Graphviz:  graphviz.Options{PNG: graphviz.PNGOptions{DPI: dpi}},
	})
	if err := explainExport(err, "e writes a file that ends in .dot, which needs no layout"); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
