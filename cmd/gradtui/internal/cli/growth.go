package cli

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect/usage"
	"github.com/gradtui/gradtui/internal/console"
)

// CodeLine is a line of the program as tables show it.
func CodeLine(f graph.Frame) string {
	if f.File == "" {
		return "(elsewhere)"
	}
	text := fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
	if f.Func != "" && f.Func != "<module>" {
		text += " " + f.Func
	}
	return text
}

// WriteGrowth names the lines that keep more with every iteration.
func WriteGrowth(w io.Writer, paint console.Paint, g *usage.Growth, top int) {
	if g == nil {
		return
	}
	var by []string
	if g.Bytes != 0 {
		by = append(by, bytesRate(g.Bytes))
	}
	if g.Nodes != 0 {
		by = append(by, nodesRate(g.Nodes))
	}
	fmt.Fprintf(w, "%s  with each iteration by %s (iterations %d to %d)\n", paint.In(console.Bold, "grows:"), strings.Join(by, " and "), g.From, g.To)
	lines := NewTable(paint, "made at", "bytes", "nodes")
	for _, l := range UpTo(g.Lines, top) {
		lines.Row(CodeLine(l.Frame), bytesRate(l.Grows.Bytes), fmt.Sprintf("%+.4g", l.Grows.Nodes))
	}
	lines.Write(w, len(g.Lines))
}

func bytesRate(f float64) string {
	text := Bytes(int64(math.Round(f)))
	if f > 0 {
		return "+" + text
	}
	return text
}

func nodesRate(f float64) string {
	if f == 1 {
		return "+1 node"
	}
	return fmt.Sprintf("%+.4g nodes", f)
}
