package export_test

import (
	"bytes"
	"context"
	"errors"
	"image/gif"
	"strings"
	"testing"
	"time"

	"github.com/gradtui/gradtui/export"
	"github.com/gradtui/gradtui/export/graphviz"
)

// animation decodes an animation.
func animation(t *testing.T, m *maker, opts export.Options) (*gif.GIF, *export.Report) {
	t.Helper()
	g := m.graph(t)
	text, report := write(t, g, export.GIF, opts)
	again, _ := write(t, g, export.GIF, opts)
	if text != again {
		t.Error("the same graph gives different animations")
	}
	a, err := gif.DecodeAll(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Image) != report.Frames {
		t.Errorf("%d frames, reported %d", len(a.Image), report.Frames)
	}
	return a, report
}

func TestAnAnimationHasAFrameForEachNodeOfThePass(t *testing.T) {
	m, loss := mlp()
	m.backward(loss, false, -1)
	_, drawn := write(t, m.graph(t), export.DOT, export.Options{})
	for style, frames := range map[export.Style]int{export.Full: drawn.Nodes + 2, export.Torchviz: drawn.Nodes + 2} {
		a, _ := animation(t, m, export.Options{Style: style, Delay: 70 * time.Millisecond})
		if len(a.Image) != frames {
			t.Errorf("%s: %d frames, want %d: one before the pass, one after it", style, len(a.Image), frames)
		}
		if a.Delay[0] != 7 || a.Delay[frames-1] != 70 {
			t.Errorf("%s: delays %v", style, a.Delay)
		}
		for i, img := range a.Image[1:] {
			if img.Rect.Dx()*img.Rect.Dy() == 1 && i+2 < frames {
				t.Errorf("%s: frame %d shows nothing new", style, i+1)
			}
		}
	}
}

func TestAnimationsOfLongPassesAreBounded(t *testing.T) {
	m, last := layers(60)
	m.backward(last, false, -1)
	a, report := animation(t, m, export.Options{Graphviz: graphviz.Options{PNG: graphviz.PNGOptions{MaxPixels: 100_000}}})
	if n := len(a.Image); n < graphviz.MaxFrames/2 || n > graphviz.MaxFrames {
		t.Errorf("%d frames for %d nodes", n, report.Nodes)
	}
	if a.Config.Width*a.Config.Height > 100_000 {
		t.Errorf("%d x %d pixels", a.Config.Width, a.Config.Height)
	}
}

// Where the graph is in the middle of a pass, the whole pass is shown; without one there is a
// still.
func TestAnimationsShowTheWholePass(t *testing.T) {
	m, loss := mlp()
	still, _ := animation(t, m, export.Options{})
	if len(still.Image) != 1 {
		t.Errorf("%d frames without a pass", len(still.Image))
	}
	before := m.tape.Len()
	m.backward(loss, false, -1)
	want, _ := animation(t, m, export.Options{})
	var b bytes.Buffer
	report, err := export.Write(t.Context(), &b, m.at(before+3), export.GIF, export.Options{})
	if err != nil || report.Frames != len(want.Image) {
		t.Errorf("%d frames, want %d; error %v", report.Frames, len(want.Image), err)
	}
}

func TestAnAnimationStopsWithItsContext(t *testing.T) {
	m, loss := mlp()
	m.backward(loss, false, -1)
	g := m.graph(t)
	text, _ := write(t, g, export.DOT, export.Options{})
	d, err := graphviz.Layout(t.Context(), []byte(text), graphviz.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	_, err = d.WriteGIF(ctx, &bytes.Buffer{}, graphviz.Animation{
		Frames: 100,
		Node: func(frame int, _ string) graphviz.Look {
			if frame == 5 {
				cancel()
			}
			return graphviz.Look{Width: float64(frame)}
		},
		Edge:    func(int, string, string) graphviz.Look { return graphviz.Look{} },
		Caption: func(int) string { return "" },
	}, graphviz.PNGOptions{})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
