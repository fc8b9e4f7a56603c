package graph

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// The text form of a tape is for tests and for people. It converts both ways
// without loss:
//
//	stack 1 "train.py":12:5-12:20:"main"
//	+0 mutated @1 tensor=4 from=0 to=1
//	+250ns op-ran @1 op="add_" inputs=[4,5] mutated=[4]
//
// A line is a call stack (innermost frame first, frames separated by spaces) or
// an event: the time since the event before, the kind, the stack (left out when
// unknown), the thread (left out when 0), and the fields that are not zero, in
// the order that [Kind.Fields] gives. Fields that a later version appended are
// kept as more="…". Empty lines and lines that begin with # are skipped.

// WriteText writes the tape in text form.
func (t *Tape) WriteText(w io.Writer) error {
	out := bufio.NewWriter(w)
	d := t.NewDecoder()
	stacks := 1
	var last time.Duration
	for p := range t.Len() {
		h, e, err := d.Read(p)
		if err != nil {
			return err
		}
		for ; stacks <= int(h.Stack); stacks++ {
			line := fmt.Appendf(nil, "stack %d", stacks)
			for _, f := range t.Stack(StackID(stacks)) {
				line = f.appendText(append(line, ' '))
			}
			out.Write(append(line, '\n'))
		}
		line := fmt.Appendf(nil, "+%s %s", h.Time-last, e.Kind())
		last = h.Time
		if h.Stack != 0 {
			line = fmt.Appendf(line, " @%d", h.Stack)
		}
		if h.Thread != 0 {
			line = fmt.Appendf(line, " t%d", h.Thread)
		}
		if line, err = t.eventText(line, e, d.more()); err != nil {
			return fmt.Errorf("event %d (%s): %w", p, e.Kind(), err)
		}
		out.Write(append(line, '\n'))
	}
	return out.Flush()
}

// EventText appends the fields of an event, in the text form, to dst. An event
// that is too long for a line of the text form is cut off.
func (t *Tape) EventText(dst []byte, e Event) []byte {
	dst, _ = t.eventText(dst, e, nil)
	return dst
}

func (t *Tape) eventText(dst []byte, e Event, more []byte) ([]byte, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := codec{mode: printing, buf: dst, names: &t.names}
	e.fields(&c)
	rest := string(more)
	c.text("more", &rest)
	if len(c.buf) > maxTextLine {
		c.fail("it is too long for the text form")
	}
	return c.buf, c.err
}

func parseKind(s string) (Kind, error) {
	if k, ok := kindByName[s]; ok {
		return k, nil
	}
	if n, ok := strings.CutPrefix(s, "kind"); ok {
		if k, err := strconv.ParseUint(n, 10, 8); err == nil {
			return Kind(k), nil
		}
	}
	return 0, fmt.Errorf("unknown kind of event %.40q", s)
}

// maxTextLine bounds a line of the text form. No byte of an event takes more than
// four characters, apart from labels and names.
const maxTextLine = 5 * MaxEventSize

// ReadText appends the events of a tape in text form. Errors name the line. Once
// the tape has stopped recording, the rest is not read.
func (t *Tape) ReadText(r io.Reader) error {
	in := bufio.NewScanner(r)
	in.Buffer(nil, maxTextLine)
	p := textParser{tape: t, stacks: []StackID{0}, now: t.lastTime()}
	n := 1
	for ; in.Scan() && t.Stopped() == ""; n++ {
		line := bytes.TrimSpace(in.Bytes())
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		if err := p.line(line); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
	if err := in.Err(); err != nil {
		return fmt.Errorf("line %d: %w", n, err)
	}
	return nil
}

func (t *Tape) lastTime() time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.last
}

type textParser struct {
	tape   *Tape
	stacks []StackID
	now    time.Duration
}

func (p *textParser) line(line []byte) error {
	word, rest := cutWord(string(line))
	if word == "stack" {
		return p.stack(rest)
	}
	delta, err := time.ParseDuration(strings.TrimPrefix(word, "+"))
	if err != nil || delta < 0 || !strings.HasPrefix(word, "+") {
		return fmt.Errorf("%.40q is not a time since the event before (such as +0s)", word)
	}
	word, rest = cutWord(rest)
	kind, err := parseKind(word)
	if err != nil {
		return err
	}
	h := Header{Time: p.now + delta}
	if h.Time < p.now {
		return errors.New("time overflows")
	}
	if rest, err = p.header(&h, rest); err != nil {
		return err
	}
	e := newEvent(kind)

	t := p.tape
	t.mu.Lock()
	defer t.mu.Unlock()
	c := codec{mode: parsing, buf: []byte(rest), names: &t.names}
	var more string
	e.fields(&c)
	if c.text("more", &more); c.err == nil && !c.ended() {
		c.fail("%s has no such field here: %.40q", kind, c.buf[c.off:])
	}
	if c.err != nil {
		return c.err
	}
	t.append(h, e, []byte(more))
	t.announce()
	p.now = h.Time
	return nil
}

// cutWord takes the first word off a line.
func cutWord(s string) (word, rest string) {
	word, rest, _ = strings.Cut(strings.TrimLeft(s, " "), " ")
	return word, strings.TrimLeft(rest, " ")
}

// header reads the optional @stack and tthread words.
func (p *textParser) header(h *Header, s string) (rest string, err error) {
	for {
		word, after := cutWord(s)
		switch {
		case strings.HasPrefix(word, "@"):
			n, err := strconv.ParseUint(word[1:], 10, 32)
			if err != nil || n >= uint64(len(p.stacks)) {
				return "", fmt.Errorf("stack %.20q was not defined", word)
			}
			h.Stack = p.stacks[n]
		case len(word) > 1 && word[0] == 't' && word[1] >= '0' && word[1] <= '9':
			n, err := strconv.ParseUint(word[1:], 10, 32)
			if err != nil {
				return "", fmt.Errorf("malformed thread %.20q", word)
			}
			h.Thread = ThreadID(n)
		default:
			return s, nil
		}
		s = after
	}
}

func (p *textParser) stack(s string) error {
	word, rest := cutWord(s)
	if n, err := strconv.Atoi(word); err != nil || n != len(p.stacks) {
		return fmt.Errorf("stack %d expected, not %.20q", len(p.stacks), word)
	}
	var stack Stack
	for ; rest != ""; rest = strings.TrimLeft(rest, " ") {
		f, after, err := parseFrame(rest)
		if err != nil {
			return err
		}
		stack, rest = append(stack, f), after
	}
	p.stacks = append(p.stacks, p.tape.InternStack(stack))
	return nil
}
