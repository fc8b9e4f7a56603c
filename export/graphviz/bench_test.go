package graphviz

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// BenchmarkAgainstDot renders each graph with this package and with the dot
// program, in turn, from a DOT text in memory to a file. It reports how long
// each takes, and the ratio: "cold" from nothing, "ready" with a process that
// was started ahead, as by a program that has something else to do first. The
// PNGs of dot are made at
// the resolution that ours have: of the largest graph it would by default make
// one of 480 megapixels.
func BenchmarkAgainstDot(b *testing.B) {
	if _, err := exec.LookPath("dot"); err != nil {
		b.Skip("dot is not installed")
	}
	for _, g := range []struct {
		name, dot string
	}{
		{"chain100", chain(100)},
		{"chain1000", chain(1000)},
		{"layered100", layered(100)},
		{"layered1000", layered(1000)},
	} {
		for _, f := range Formats {
			b.Run(fmt.Sprintf("%s/%s", g.name, f), func(b *testing.B) {
				againstDot(b, g.dot, f)
			})
		}
	}
}

func againstDot(b *testing.B, dot string, f Format) {
	dir := b.TempDir()
	ours := func() time.Duration {
		start := time.Now()
		p := mustRender(b, dot, f)
		if err := os.WriteFile(filepath.Join(dir, "ours"), p.Bytes, 0o600); err != nil {
			b.Fatal(err)
		}
		return time.Since(start)
	}
	dpi := mustRender(b, dot, f).Size.DPI
	theirs := func() time.Duration {
		start := time.Now()
		cmd := exec.CommandContext(b.Context(), "dot", "-T"+string(f), "-o", filepath.Join(dir, "theirs"))
		if f == PNG {
			cmd.Args = append(cmd.Args, fmt.Sprintf("-Gdpi=%g", dpi))
		}
		cmd.Stdin = strings.NewReader(dot)
		if err := cmd.Run(); err != nil {
			b.Fatal(err)
		}
		return time.Since(start)
	}
	var cold, ready, native time.Duration
	for b.Loop() {
		native += theirs()
		cold += ours()
		Prestart(Options{})
		if _, err := spare.c.out.Peek(len(greeting)); err != nil {
			b.Fatal(err)
		}
		ready += ours()
	}
	perOp := func(d time.Duration) float64 { return d.Seconds() * 1000 / float64(b.N) }
	b.ReportMetric(0, "ns/op") // the sum of three things
	b.ReportMetric(perOp(native), "dot-ms")
	b.ReportMetric(perOp(cold), "cold-ms")
	b.ReportMetric(perOp(ready), "ready-ms")
	b.ReportMetric(float64(cold)/float64(native), "cold/dot")
	b.ReportMetric(float64(ready)/float64(native), "ready/dot")
}

// BenchmarkPNG draws and compresses a picture of known layout.
func BenchmarkPNG(b *testing.B) {
	for name, dot := range map[string]string{"chain1000": chain(1000), "layered1000": layered(1000)} {
		b.Run(name, func(b *testing.B) {
			d := mustLayout(b, dot)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := d.WritePNG(b.Context(), discard{}, PNGOptions{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// discard is a writer without the extra methods of io.Discard.
type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
