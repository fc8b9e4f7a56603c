package export_test

import (
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/gradtui/gradtui/export"
	"github.com/gradtui/gradtui/export/graphviz"
)

// BenchmarkLayout measures how long unreduced pictures take, which is what the
// default budget of pictures comes from.
func BenchmarkLayout(b *testing.B) {
	for _, c := range []struct {
		name  string
		make  func(int) (*maker, value)
		sizes []int
	}{
		{"chain", chain, []int{750, 1500, 3000}},
		{"layers", layers, []int{125, 250, 500}},
		{"lstm", lstm, []int{5, 10, 15, 20}},
		{"tangle", tangle, []int{250, 500, 1000, 1500}},
	} {
		for _, n := range c.sizes {
			m, _ := c.make(n)
			g := m.graph(b)
			for _, style := range export.Styles() {
				b.Run(fmt.Sprintf("%s/%d/%s", c.name, n, style), func(b *testing.B) {
					var report *export.Report
					for b.Loop() {
						var err error
						report, err = export.Write(b.Context(), io.Discard, g, export.SVG, export.Options{
							Style: style, MaxNodes: -1, Graphviz: graphviz.Options{MaxProcessorTime: 2 * time.Minute},
						})
						if err != nil {
							b.Fatal(err)
						}
					}
					b.ReportMetric(float64(report.Drawn), "boxes")
					b.ReportMetric(float64(report.DrawnEdges), "arrows")
					b.ReportMetric(float64(export.Spread(b, g)), "spread")
				})
			}
		}
	}
}

// BenchmarkWrite measures graphs of about 100,000 nodes.
func BenchmarkWrite(b *testing.B) {
	for _, c := range []struct {
		name string
		make func(int) (*maker, value)
		n    int
	}{{"chain", chain, 100_000}, {"layers", layers, 17_000}, {"lstm", lstm, 7_000}} {
		m, _ := c.make(c.n)
		g := m.tape.CursorAt(m.tape.Len()).Graph()
		for _, f := range export.Formats() {
			for _, style := range export.Styles() {
				if style != export.Full && f.Format != export.DOT {
					continue
				}
				b.Run(fmt.Sprintf("%s/%s/%s", c.name, f.Format, style), func(b *testing.B) {
					for b.Loop() {
						if _, err := export.Write(b.Context(), io.Discard, g, f.Format, export.Options{Style: style}); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
}
