package ui

import (
	"sort"
	"strings"

	"github.com/gradtui/gradtui/graph"
)

// printed is an index over the tape: what the program printed, line by line.
type printed struct {
	tape    *graph.Tape
	dec     *graph.Decoder
	read    graph.Pos
	lines   []printedLine
	dropped int // lines at the beginning that are not kept
}

type printedLine struct {
	text   string
	stream uint8
	at     graph.Pos // the event that began it
	open   bool      // its end has not come yet
}

const (
	maxPrinted     = 20000 // lines that are kept
	maxPrintedLine = 4096  // bytes of a line that are kept
)

func newPrinted(tape *graph.Tape) *printed { return &printed{tape: tape, dec: tape.NewDecoder()} }

// Pos returns how many events were searched for output.
func (o *printed) Pos() graph.Pos { return o.read }

// Extend searches further events.
func (o *printed) Extend(to graph.Pos) {
	for ; o.read < to; o.read++ {
		if k, err := o.dec.Kind(o.read); err != nil || k != graph.KindOutputWritten {
			continue
		}
		if _, e, err := o.dec.ReadUntimed(o.read); err == nil {
			e := e.(*graph.OutputWritten)
			o.add(e.Text, e.Stream, o.read)
		}
	}
}

func (o *printed) add(text string, stream uint8, at graph.Pos) {
	for more := true; more; {
		var part string
		part, text, more = strings.Cut(text, "\n")
		if part == "" && !more {
			break
		}
		last := len(o.lines) - 1
		if last < 0 || !o.lines[last].open || o.lines[last].stream != stream {
			o.lines = append(o.lines, printedLine{stream: stream, at: at})
			last++
		}
		l := &o.lines[last]
		l.text += part[:min(len(part), max(maxPrintedLine-len(l.text), 0))]
		l.text = overwritten(l.text)
		l.open = !more
	}
	if n := len(o.lines) - maxPrinted; n > maxPrinted/4 {
		o.lines = append([]printedLine(nil), o.lines[n:]...)
		o.dropped += n
	}
}

// overwritten returns what a line shows after its carriage returns, which progress bars use.
func overwritten(s string) string {
	s = strings.TrimRight(s, "\r")
	return s[strings.LastIndexByte(s, '\r')+1:]
}

// until returns how many lines had begun before a position.
func (o *printed) until(p graph.Pos) int {
	return sort.Search(len(o.lines), func(i int) bool { return o.lines[i].at >= p })
}

// words returns the line as a sentence.
func (l *printedLine) words() string {
	if l.stream == 2 {
		return "Error output: " + l.text
	}
	return "Output: " + l.text
}
