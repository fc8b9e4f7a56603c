package tapefile

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/gradtui/gradtui/graph"
)

// In text form a tape begins with comment lines:
//
//	# gradtui tape 1.0
//	# engine "torch 2.6.0"
//	# program "train.py"
//	# arg "--epochs"
//
// They may be missing; a tape in text form is often written by hand.
const textMagic = "# gradtui tape "

// WriteText writes a tape in text form, with where it comes from in front.
func WriteText(w io.Writer, tape *graph.Tape) error {
	header := bytes.NewBuffer(fmt.Appendf(nil, "%s%d.%d\n", textMagic, Major, Minor))
	list(tape.Info(), func(key, value string) { fmt.Fprintf(header, "# %s %q\n", key, value) })
	if _, err := header.WriteTo(w); err != nil {
		return err
	}
	return tape.WriteText(w)
}

// ReadText appends a tape in text form to tape and notes where it comes from.
// Errors name the line.
func ReadText(r io.Reader, tape *graph.Tape) error {
	var head textHeader
	in := bufio.NewReaderSize(r, maxInfo)
	var lines bytes.Buffer
	for lines.Len() < maxInfo {
		if b, err := in.Peek(1); err != nil || b[0] != '#' {
			break
		}
		line, err := in.ReadSlice('\n')
		lines.Write(line)
		if err != nil { // a long line is not a line of the header
			break
		}
		if err := head.line(strings.TrimSpace(string(line))); err != nil {
			return err
		}
	}
	if head.found {
		tape.SetInfo(head.info)
	}
	// The lines are comments to the tape; they are read again so that the
	// numbers of lines in errors are right.
	return tape.ReadText(io.MultiReader(&lines, in))
}

type textHeader struct {
	found bool
	info  graph.Info
}

func (h *textHeader) line(line string) error {
	if version, ok := strings.CutPrefix(line, textMagic); ok {
		major, _, _ := strings.Cut(version, ".")
		if n, err := strconv.Atoi(major); err == nil && n > Major {
			return newer(version)
		}
		h.found = true
		return nil
	}
	key, quoted, _ := strings.Cut(strings.TrimPrefix(line, "# "), " ")
	value, err := strconv.Unquote(quoted)
	if !h.found || err != nil {
		return nil // some other comment
	}
	learn(&h.info, key, value)
	return nil
}

// looksLikeText reports whether a file that begins like this is a tape in text
// form: behind comments and empty lines there is an event or a stack.
func looksLikeText(start []byte) bool {
	if bytes.HasPrefix(start, []byte(textMagic)) {
		return true
	}
	for line := range bytes.Lines(start) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		return bytes.HasPrefix(line, []byte("stack ")) || len(line) > 1 && line[0] == '+' && line[1] >= '0' && line[1] <= '9'
	}
	return false
}

// readText reads the whole file, which is in text form.
func (r *Reader) readText() error {
	size, err := r.size()
	if err != nil {
		return err
	}
	err = ReadText(io.NewSectionReader(r.src, 0, size), r.tape)
	switch {
	case r.tape.Stopped() != "":
		return r.tooLarge("%s", r.tape.Stopped())
	case err != nil:
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return nil
}
