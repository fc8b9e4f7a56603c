package export

import (
	"bytes"
	"errors"

	"github.com/gradtui/gradtui/export/graphviz"
)

// By default a picture is reduced to so many boxes and so large a spread. Layout
// takes one to two seconds then (BenchmarkLayout; docs/export.md has the figures):
// chains of 1,500 nodes take 0.6 s and networks of 1,500 with residual connections
// 0.8 s, but an LSTM unrolled 20 times, of 285 nodes, takes 13 s. What tells them
// apart is the spread, which is 500 for the network and 5,300 for the LSTM.
const (
	pictureNodes  = 1500
	pictureSpread = 1500
)

func (j *job) svg() error { return j.picture(graphviz.SVG) }
func (j *job) png() error { return j.picture(graphviz.PNG) }

// picture has Graphviz draw the selection. A layout that takes too long, although
// the number of boxes is within the default budget, is tried again with fewer.
func (j *job) picture(format graphviz.Format) error {
	for boxes := j.budget(); ; boxes /= 4 {
		var text bytes.Buffer
		if err := j.draw(newOutput(j.ctx, &text), boxes); err != nil {
			return err
		}
		p, err := graphviz.Render(j.ctx, text.Bytes(), format, j.opts.Graphviz)
		var limit *graphviz.LimitError
		if errors.As(err, &limit) && j.opts.MaxNodes == 0 && boxes > 100 {
			continue
		}
		if err != nil {
			return err
		}
		j.report.Picture = p.Size
		_, err = j.w.Write(p.Bytes)
		return err
	}
}
