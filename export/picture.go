package export

import (
	"bytes"
	"errors"

	"github.com/gradtui/gradtui/export/graphviz"
)

// By default a picture is reduced to this many boxes and this spread. Layout
// takes one to two seconds then (BenchmarkLayout; docs/use/export.md has the figures):
// chains of 1,500 nodes take 0.6 s and networks of 1,500 with residual connections
// 0.8 s, but an LSTM unrolled 20 times, of 285 nodes, takes 13 s. What tells them
// apart is the spread, which is 500 for the network and 5,300 for the LSTM.
const (
	pictureNodes  = 1500
	pictureSpread = 1500
)

// gifNodes is for animations, each frame of which is drawn.
const gifNodes = 300

// minBoxes is how far a picture is reduced further when it is too much.
const minBoxes = 100

// tooCoarse reports whether a picture of a size is too coarse to be read.
func tooCoarse(size graphviz.PNGSize) bool { return size.DPI < size.AskedDPI/2 }

// svg folds what png folds, so that both show the same.
func (j *job) svg() error {
	return j.retry(func(dot []byte, last bool) error {
		p, err := graphviz.Render(j.ctx, dot, graphviz.SVG, j.opts.Graphviz)
		if err != nil {
			return err
		}
		if !last && tooCoarse(p.Size) {
			return errCoarse
		}
		_, err = j.w.Write(j.hover.apply(p.Bytes))
		return err
	})
}

// errCoarse says that a picture has too few pixels to be read.
var errCoarse = errors.New("too coarse to be read")

func (j *job) png() error {
	return j.retry(func(dot []byte, last bool) error {
		d, err := graphviz.Layout(j.ctx, dot, j.opts.Graphviz)
		if err != nil {
			return err
		}
		size := d.PNGSize(j.opts.Graphviz.PNG)
		if !last && tooCoarse(size) {
			return errCoarse
		}
		j.report.Picture = size
		_, err = d.WritePNG(j.ctx, j.w, j.opts.Graphviz.PNG)
		return err
	})
}

// retry has a picture made of the DOT text of the selection. One that exceeds a
// limit, or is too coarse, is tried again with fewer boxes, if the caller leaves
// their number to us and there are many.
func (j *job) retry(render func(dot []byte, last bool) error) error {
	for boxes := j.budget(); ; {
		var text bytes.Buffer
		if err := j.draw(newOutput(j.ctx, &text), boxes); err != nil {
			return err
		}
		last := j.opts.MaxNodes != 0 || min(boxes, j.report.Drawn) <= minBoxes
		err := render(text.Bytes(), last)
		var broken *graphviz.ChildError
		if errors.As(err, &broken) && j.report.Columns > 1 {
			j.uncut = true // rather one column than none
			continue
		}
		var limit *graphviz.LimitError
		if err == nil || last || !errors.Is(err, errCoarse) && (!errors.As(err, &limit) || limit.Busy()) {
			return err
		}
		boxes = max(min(boxes, j.report.Drawn)/2, minBoxes)
	}
}
