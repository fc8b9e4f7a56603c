package fork

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect/compare"
)

// An Edit gives a line of a source file another text. The line executes from the start of the program.
type Edit struct {
	File string // as the first run has it, or the end of its path
	Line int
	Text string // without a leading space: indented as the line was
	Was  string // the text before, once it is applied
}

var edit = regexp.MustCompile(`^(?s)(.+?):(\d+)=(.*)$`)

// ParseEdit reads FILE:LINE=TEXT.
func ParseEdit(text string) (Edit, error) {
	m := edit.FindStringSubmatch(text)
	if m == nil {
		return Edit{}, fmt.Errorf("%q is not an edit, such as train.py:12=x = x.relu()", text)
	}
	line, err := strconv.Atoi(m[2])
	if err != nil || line < 1 {
		return Edit{}, fmt.Errorf("%s is not the number of a line", m[2])
	}
	if strings.ContainsAny(m[3], "\r\n") {
		return Edit{}, fmt.Errorf("an edit is of one line, and this text has several: join statements with ; instead")
	}
	return Edit{File: m[1], Line: line, Text: m[3]}, nil
}

func (e *Edit) String() string { return fmt.Sprintf("%s:%d=%s", e.File, e.Line, e.Text) }

// Apply returns the texts of the edited files by their paths. It edits what ran, which is on the tape of the
// first run; a file that is not there is read. The edits get the full path and what the line was before.
func Apply(base *graph.Tape, edits []Edit) (map[string]string, error) {
	ran := sourcesOf(base)
	texts := map[string]string{}
	for i := range edits {
		e := &edits[i]
		path, err := fileNamed(e.File, ran)
		if err != nil {
			return nil, err
		}
		text, done := texts[path]
		if !done {
			if text = ran[path]; text == "" {
				read, err := os.ReadFile(path)
				if err != nil {
					return nil, fmt.Errorf("no file of the program is called %s: %w", e.File, err)
				}
				text = string(read)
			}
		}
		lines := strings.SplitAfter(text, "\n")
		if e.Line > len(lines) || lines[e.Line-1] == "" {
			return nil, fmt.Errorf("%s has no line %d", e.File, e.Line)
		}
		old := &lines[e.Line-1]
		e.File, e.Was = path, strings.TrimRight(*old, "\r\n")
		if strings.TrimLeft(e.Text, " \t") == e.Text {
			e.Text = e.Was[:len(e.Was)-len(strings.TrimLeft(e.Was, " \t"))] + e.Text
		}
		*old = e.Text + (*old)[len(e.Was):]
		texts[path] = strings.Join(lines, "")
	}
	return texts, nil
}

// sourcesOf returns the texts of source files on a tape; "": it leaves one out.
func sourcesOf(tape *graph.Tape) map[string]string {
	texts := map[string]string{}
	d := tape.NewDecoder()
	for p := range tape.Len() {
		if k, err := d.Kind(p); err != nil || k != graph.KindSourceRead {
			continue
		}
		if _, e, err := d.ReadUntimed(p); err == nil {
			read := e.(*graph.SourceRead)
			texts[tape.String(read.File)] = read.Text
		}
	}
	return texts
}

// fileNamed returns the path of the file that a user has named.
func fileNamed(name string, ran map[string]string) (path string, err error) {
	if _, ok := ran[name]; ok {
		return name, nil
	}
	end := "/" + strings.TrimPrefix(filepath.ToSlash(filepath.Clean(name)), "/")
	for file := range ran {
		if !strings.HasSuffix(file, end) {
			continue
		}
		if path != "" {
			return "", fmt.Errorf("%s is the name of several files of the program: give more of its path", name)
		}
		path = file
	}
	if path == "" {
		return filepath.Abs(name)
	}
	return path, nil
}

// A Comparison says how far two runs are the same.
type Comparison struct {
	Same        bool // all that the first run did, the second did as well
	At          graph.Pos
	Differently string // what the first event is that differs, in both
}

// Compare compares the run with edits with the first one, event by event.
func Compare(base, tape *graph.Tape) Comparison {
	run := compare.NewRerun(base, tape)
	run.ByLines()
	if run.Advance(base.Len()) && run.First() == base.Len() {
		return Comparison{Same: true, At: run.First()}
	}
	return Comparison{At: run.First(), Differently: difference(base, tape, run)}
}
