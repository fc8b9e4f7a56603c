// Package engine calls Graphviz: it is the only importer of go-graphviz, and
// only runs in a child process that ends afterwards. go-graphviz leaks memory
// with each graph, keeps everything in one global module that goroutines
// corrupt for each other, and cannot be stopped.
package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	gographviz "github.com/goccy/go-graphviz"

	"github.com/gradtui/gradtui/export/graphviz/internal/boot"
	"github.com/gradtui/gradtui/export/graphviz/internal/dotlang"
	_ "github.com/gradtui/gradtui/export/graphviz/internal/wasmtmp" // before go-graphviz
)

// go-graphviz has started when this package is initialized.
func init() { boot.LeaveCache() }

// Format is what Run writes.
type Format string

const (
	SVG  Format = "svg"
	XDOT Format = "xdot" // DOT with positions and drawing operations
)

// endings are the last bytes of complete output. go-graphviz does not report
// that Graphviz failed to write.
var endings = map[Format]string{SVG: "</svg>\n", XDOT: "}\n"}

// Run lays out the graph of a prepared DOT text and writes it in a format. The
// error is a *dotlang.SyntaxError if the text is at fault.
func Run(dot dotlang.Prepared, format Format) (out []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("graphviz: %v", r)
		}
	}()
	gographviz.SetFileSystem(noFiles{})
	ctx := context.Background()
	// Before anything else: New expects parts of the module's memory to be
	// zero that nothing has used yet.
	gv, err := gographviz.New(ctx)
	if err != nil {
		return nil, err
	}
	g, err := gographviz.ParseBytes(dot.Text)
	if err != nil {
		return nil, syntaxError(err)
	}
	if g == nil {
		return nil, &dotlang.SyntaxError{Line: 1, Message: "no graph"}
	}
	if dot.EmptyLabels {
		if err := restoreEmptyLabels(g); err != nil {
			return nil, err
		}
	}
	var b bytes.Buffer
	if err := gv.Render(ctx, g, gographviz.Format(format), &b); err != nil {
		return nil, fmt.Errorf("layout: %w", err)
	}
	if !strings.HasSuffix(b.String(), endings[format]) {
		return nil, fmt.Errorf("graphviz did not finish the %s output", format)
	}
	return b.Bytes(), nil
}

// noFiles is the file system that graphs see: images, fonts and style sheets
// that they name do not exist.
type noFiles struct{}

func (noFiles) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// restoreEmptyLabels undoes dotlang.EmptyLabel.
func restoreEmptyLabels(g *gographviz.Graph) error {
	n, err := g.FirstNode()
	for ; n != nil && err == nil; n, err = g.NextNode(n) {
		if n.Label() == dotlang.EmptyLabel {
			if err := n.Set("label", ""); err != nil {
				return err
			}
		}
	}
	return err
}

// syntaxError turns "syntax error in line 3 near '->'" into an error with a
// line.
func syntaxError(err error) error {
	text := strings.TrimSpace(err.Error())
	after, ok := strings.CutPrefix(text, "syntax error in line ")
	if !ok {
		return errors.New(text)
	}
	number, rest, _ := strings.Cut(after, " ")
	line, convErr := strconv.Atoi(number)
	if convErr != nil {
		return errors.New(text)
	}
	return &dotlang.SyntaxError{Line: line, Message: "syntax error " + rest}
}
