package find

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

// A Hit is a thing that was found.
type Hit struct {
	Kind    Kind
	Label   string // printable
	Detail  string // printable
	Matched []int  // the bytes of Label that the query stands for
	Later   bool   // it does not exist yet at the position
	// At is the event that made it, that named it, or where it happened. It exists at a
	// cursor behind that event.
	At      graph.Pos
	Tensor  graph.TensorID   // tensors
	Node    graph.NodeID     // nodes
	Finding *inspect.Finding // findings
	File    string           // files, functions and findings: as stacks name it
	Line    int              // 0: none in particular
}

// A lister collects hits.
type lister struct {
	index *Index
	dec   *graph.Decoder
	at    graph.Pos
	most  int
	hits  []Hit
	seen  map[thing]bool
}

// A thing is found once, even if several labels stand for it.
type thing struct {
	kind Kind
	id   uint32 // tensor, node or event
	file string
	line int
}

// list adds what matching labels stand for. Each label has its share, so that a label of
// many things does not hide the others; the rest goes to the best labels.
func (l *lister) list(matches []match) {
	room := l.most - len(l.hits)
	matches = matches[:min(len(matches), room)]
	shares := make([]int, len(matches))
	give := func(most int) {
		for i, m := range matches {
			more := min(m.label.times.Len()-shares[i], most, room)
			shares[i] += more
			room -= more
		}
	}
	give(room / max(len(matches), 1))
	give(room)
	for i, m := range matches {
		l.expand(m, shares[i])
	}
}

// expand adds what a label stands for.
func (l *lister) expand(m match, most int) {
	times := &m.label.times
	moment := func(i int) moment {
		l.index.pages.Lock()
		defer l.index.pages.Unlock()
		return times.At(i)
	}
	l.index.pages.Lock()
	now := times.before(l.at)
	l.index.pages.Unlock()
	most += len(l.hits)
	for i := now - 1; i >= 0 && len(l.hits) < most; i-- {
		l.hit(m, moment(i))
	}
	for i := now; i < times.Len() && len(l.hits) < most; i++ {
		l.hit(m, moment(i))
	}
}

func (l *lister) hit(m match, t moment) {
	h := Hit{
		Kind: m.label.kind, Label: m.label.text, Matched: m.found, At: graph.Pos(t.at),
		Later: graph.Pos(t.at) >= l.at, File: m.label.file,
	}
	id := t.at
	switch h.Kind {
	case Tensor:
		id, h.Tensor = t.id, graph.TensorID(t.id)
		h.Detail = l.tensor(h.Tensor)
	case Node:
		id, h.Node = t.id, graph.NodeID(t.id)
		h.Detail = join(nodeName(h.Node), l.place(h.At))
	case Finding:
		f := &l.index.reported[t.id]
		id, h.Finding, h.File, h.Line = t.id, f, f.Primary.File, f.Primary.Line
		h.Detail = join(f.Severity.String(), place(h.File, h.Line))
	case Function:
		id, h.Line = 0, m.label.line
		h.Detail = place(h.File, h.Line)
	case File:
		id = 0
		h.Detail = fmt.Sprintf("%d lines ran", len(m.label.lines))
	default:
		h.Detail = join(eventName(h.At), l.place(h.At))
	}
	l.add(thing{h.Kind, id, h.File, h.Line}, h)
}

// add adds a hit, unless its thing was found already or there is no room.
func (l *lister) add(t thing, h Hit) {
	if len(l.hits) < l.most && !l.seen[t] {
		l.seen[t] = true
		h.Detail = printable(h.Detail)
		l.hits = append(l.hits, h)
	}
}

// numbered adds the thing with a number.
func (l *lister) numbered(kind Kind, at graph.Pos, number uint32) {
	h := Hit{Kind: kind, At: at, Later: at >= l.at}
	switch kind {
	case Tensor:
		h.Tensor = graph.TensorID(number)
		h.Label, h.Detail = tensorName(h.Tensor), join(l.tensor(h.Tensor), l.place(at))
	case Node:
		h.Node = graph.NodeID(number)
		h.Label, h.Detail = nodeName(h.Node), l.place(at)
		if _, e, err := l.dec.ReadUntimed(at); err == nil {
			h.Label = printable(l.index.tape.String(e.(*graph.NodeCreated).Name))
			h.Detail = join(nodeName(h.Node), h.Detail)
		}
	case Position:
		h.Label, h.Detail = eventName(at), l.place(at)
		if k, err := l.dec.Kind(at); err == nil {
			h.Detail = join(k.String(), h.Detail)
		}
	}
	l.add(thing{kind: kind, id: number}, h)
}

// lines adds the lines of a file whose numbers begin with some digits. The exact line comes
// first, even if no event came from there.
func (l *lister) lines(file *label, digits string) {
	exact, _ := strconv.Atoi(digits)
	numbers := []int{exact}
	for n := range file.lines {
		if n != exact && strings.HasPrefix(strconv.Itoa(n), digits) {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers[1:])
	for _, n := range numbers {
		h := Hit{Kind: File, Label: file.text + ":" + strconv.Itoa(n), At: -1, File: file.file, Line: n}
		if p, ran := file.lines[n]; ran {
			h.At, h.Later, h.Detail = graph.Pos(p.first), graph.Pos(p.first) >= l.at, p.function
		}
		if n > 0 {
			l.add(thing{kind: File, file: h.File, line: n}, h)
		}
	}
}

// tensor describes a tensor as it was made.
func (l *lister) tensor(id graph.TensorID) string {
	name := tensorName(id)
	if at, ok := l.index.made(Tensor, int(id)); ok {
		if _, e, err := l.dec.ReadUntimed(at); err == nil {
			e := e.(*graph.TensorCreated)
			device := graph.DeviceText(l.index.tape.Device(e.Device))
			return join(name, printable(e.DType.String()+" "+inspect.ShapeText(e.Shape)+device))
		}
	}
	return name
}

// place names the line that an event came from.
func (l *lister) place(at graph.Pos) string {
	head, err := l.dec.Header(at)
	if err != nil {
		return ""
	}
	f := l.index.tape.Stack(head.Stack).Top()
	return place(f.File, f.Line)
}

func place(file string, line int) string {
	if file == "" {
		return ""
	}
	return file[baseOf(file):] + ":" + strconv.Itoa(line)
}

// baseOf returns where the name of a file begins in its path.
func baseOf(path string) int { return strings.LastIndexAny(path, `/\`) + 1 }

func tensorName(id graph.TensorID) string { return fmt.Sprintf("t%d", id) }
func nodeName(id graph.NodeID) string     { return fmt.Sprintf("n%d", id) }
func eventName(at graph.Pos) string       { return fmt.Sprintf("event %d", at) }

// join lists the parts that are not empty.
func join(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ", ")
}
