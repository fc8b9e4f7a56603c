// Package mend applies the fixes of findings to source files, and says what became of a program that ran
// with one. Begin with [Texts.With] and [Compare].
package mend

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/gradtui/gradtui/capture/sources"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/inspect/usage"
	"github.com/gradtui/gradtui/internal/regular"
	"github.com/gradtui/gradtui/internal/replace"
)

// Texts are the new texts of source files, by their names on the tape.
type Texts map[string]string

// With returns the texts with a fix as well. The file has to be as it was when the program ran, or
// already among the texts.
func (t Texts) With(fix *inspect.Fix, h *inspect.History) (Texts, error) {
	name := fix.Edits[0].File
	text, edited := t[name]
	if !edited {
		var err error
		if text, err = unchanged(name, h); err != nil {
			return nil, err
		}
	}
	after, err := fix.Apply(text)
	if err != nil {
		return nil, err
	}
	all := Texts{name: after}
	for other, text := range t {
		if other != name {
			all[other] = text
		}
	}
	return all, nil
}

// unchanged reads a file that has the text that ran.
func unchanged(name string, h *inspect.History) (string, error) {
	read, err := regular.Read(name, sources.MaxText)
	if err != nil {
		return "", fmt.Errorf("cannot read %s: %w", name, err)
	}
	text := string(read)
	if strings.TrimPrefix(text, "\ufeff") != strings.Join(h.Source(name), "\n") || !utf8.ValidString(text) {
		return "", fmt.Errorf("%s is not as it was when the program ran", name)
	}
	return text, nil
}

// Write replaces the files by the texts. Each must still have the text that ran.
func (t Texts) Write(h *inspect.History) error {
	for name := range t {
		if _, err := unchanged(name, h); err != nil {
			return err
		}
	}
	for name, text := range t {
		if err := rewrite(name, text); err != nil {
			return fmt.Errorf("cannot write %s: %w", name, err)
		}
	}
	return nil
}

// rewrite replaces a file by one with another text and the same permissions.
func rewrite(name, text string) error {
	path, err := filepath.EvalSymlinks(name)
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	dir, base := filepath.Split(path)
	part, err := replace.Create(filepath.Join(dir, "."+base+".gradtui-part"), info.Mode().Perm())
	if err != nil {
		return err
	}
	_, err = part.WriteString(text)
	if err = errors.Join(err, part.Chmod(info.Mode().Perm())); err != nil {
		part.Close()
	} else {
		err = replace.Finish(part, path)
	}
	if err != nil {
		os.Remove(part.Name())
	}
	return err
}

// A Run is what is compared of a run.
type Run struct {
	Exception string    // that ended it, with its type; "": none
	Losses    []float64 // that backward passes began from; NaN: not a number, or not on the tape
	Passes    int       // backward passes
	Reached   int       // leaves that they gave gradients
}

// An Outcome is what became of a program with a fix.
type Outcome struct {
	Before, After Run
	Gone          bool              // the finding
	New           []inspect.Finding // that the first run does not have
}

// Proven reports whether the run shows that the fix is right: the finding is gone, nothing else is found and the
// program does not end with another exception.
func (o *Outcome) Proven() bool {
	return o.Gone && len(o.New) == 0 && (o.After.Exception == "" || o.After.Exception == o.Before.Exception)
}

// Compare compares two runs of a program, of which the second had the fix of a finding of the first.
func Compare(before, after *inspect.Result, f *inspect.Finding) Outcome {
	o := Outcome{Before: runOf(before.History), After: runOf(after.History)}
	type place struct {
		code, file string
		line       int
	}
	old, left := map[place]int{}, map[string]int{}
	for i := range before.Findings {
		g := &before.Findings[i]
		if g.Severity < inspect.SeverityWarning {
			continue
		}
		old[place{g.Code, g.Primary.File, moved(f.Fix, g.Primary)}]++
		left[g.Code]++
	}
	target := place{f.Code, f.Primary.File, moved(f.Fix, f.Primary)}
	o.Gone = true
	var others []inspect.Finding
	for _, g := range after.Findings {
		at := place{g.Code, g.Primary.File, g.Primary.Line}
		switch {
		case g.Severity < inspect.SeverityWarning:
		case at == target:
			o.Gone = false
			left[g.Code]--
		case old[at] > 0:
			old[at]--
			left[g.Code]--
		default:
			others = append(others, g)
		}
	}
	left[f.Code]-- // the finding itself, whose place is taken by none
	for _, g := range others {
		switch {
		case left[g.Code] > 0: // its line is another one, as lines of the edit have moved
			left[g.Code]--
		case g.Code == f.Code:
			o.Gone = false
		default:
			o.New = append(o.New, g)
		}
	}
	return o
}

// moved is the line that a line of the first run has with a fix.
func moved(fix *inspect.Fix, s inspect.Span) int {
	line := s.Line
	for _, e := range fix.Edits {
		if e.File == s.File && (e.EndLine < s.Line || e.EndLine == s.Line && e.EndCol == 1) {
			line += strings.Count(e.Text, "\n") - (e.EndLine - e.Line)
		}
	}
	return line
}

func runOf(h *inspect.History) (r Run) {
	tape := h.Tape()
	if p, failed := h.Failed(); failed {
		if _, e, err := tape.At(p); err == nil {
			if f, ok := e.(*graph.ProgramFailed); ok {
				r.Exception = tape.String(f.Type) + ": " + f.Message
			}
		}
	}
	for _, l := range usage.Losses(tape, tape.Len()) {
		r.Losses = append(r.Losses, l.Value)
	}
	reached := map[graph.TensorID]bool{}
	d := tape.NewDecoder()
	for p := range tape.Len() {
		switch kind, err := d.Kind(p); {
		case err != nil:
		case kind == graph.KindBackwardBegan:
			r.Passes++
		case kind == graph.KindGradAccumulated:
			if _, e, err := d.ReadUntimed(p); err == nil {
				reached[e.(*graph.GradAccumulated).Tensor] = true
			}
		}
	}
	r.Reached = len(reached)
	return r
}

// Last is the last loss that is known; NaN if there is none.
func (r *Run) Last() float64 {
	for i := len(r.Losses) - 1; i >= 0; i-- {
		if !math.IsNaN(r.Losses[i]) {
			return r.Losses[i]
		}
	}
	return math.NaN()
}
