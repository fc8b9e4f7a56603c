package usage

// A useRange holds bounds of what was in use.
type useRange struct {
	min, max Use
	known    bool
}

func (r *useRange) add(u Use) { r.join(useRange{u, u, true}) }

func (r *useRange) join(o useRange) {
	if !r.known || !o.known {
		if o.known {
			*r = o
		}
		return
	}
	r.min = Use{min(r.min.Nodes, o.min.Nodes), min(r.min.Bytes, o.min.Bytes), min(r.min.Graph, o.min.Graph)}
	r.max = Use{max(r.max.Nodes, o.max.Nodes), max(r.max.Bytes, o.max.Bytes), max(r.max.Graph, o.max.Graph)}
}

// A pyramid keeps ranges at several resolutions: the ranges that were added, the joined range of
// each fan of them, and so on. So the range over any stretch is joined from few.
type pyramid struct{ levels [][]useRange }

const fan = 64

// add adds the range that follows.
func (p *pyramid) add(r useRange) {
	for level := 0; ; level++ {
		if level == len(p.levels) {
			p.levels = append(p.levels, nil)
		}
		list := append(p.levels[level], r)
		p.levels[level] = list
		if len(list)%fan != 0 {
			return
		}
		r = useRange{}
		for _, part := range list[len(list)-fan:] {
			r.join(part)
		}
	}
}

// over joins the ranges from one number to another, without that. At each level it
// takes what sticks out from the whole groups of the next one.
func (p *pyramid) over(from, to int) (r useRange) {
	for _, list := range p.levels {
		for ; from < to && from%fan != 0; from++ {
			r.join(list[from])
		}
		for ; from < to && to%fan != 0; to-- {
			r.join(list[to-1])
		}
		from, to = from/fan, to/fan
	}
	return r
}
