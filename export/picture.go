package export

import (
	"errors"

	"github.com/gradtui/gradtui/export/graphviz"
)

// pictureNodes is how many boxes a picture has at most by default.
const pictureNodes = 1500

func (j *job) svg() error { return j.picture(graphviz.SVG) }
func (j *job) png() error { return j.picture(graphviz.PNG) }

// picture has Graphviz draw the selection. A layout that takes too long, although
// the number of boxes is within the default budget, is tried again with fewer.
func (j *job) picture(format graphviz.Format) error {
	for boxes := j.budget(); ; boxes /= 4 {
		j.report.Drawn, j.report.DrawnEdges = 0, 0
		p, err := graphviz.Render(j.ctx, j.dotText(boxes), format, j.opts.Graphviz)
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
