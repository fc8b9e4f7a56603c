// Package edits notices that source files of a program were edited after its run had read them.
//
// It looks at the files again and again instead of being notified by the system. There are few of them, a look
// is one stat for each, and it finds the file under its name whatever an editor does: write into it, in
// pieces, or rename another one to it, also where a system notifies of nothing, as in containers and network
// file systems. A file counts when it was the same in two looks.
package edits

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/gradtui/gradtui/capture/sources"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect/compare"
	"github.com/gradtui/gradtui/internal/regular"
)

// An Edit is a file that differs from what the run has read.
type Edit struct {
	Name string // as the tape has it
	Sum  string // of its content
	// Moved are the lines of the run that the file has now, counted from 1; nil: not known, as of a long file.
	Moved map[int]int
}

// Line returns where a line of the run is now: if it is not there any more, behind the line that is left before it.
func (e *Edit) Line(line int) int {
	if e.Moved == nil {
		return line
	}
	for before := line; before > 0; before-- {
		if now, ok := e.Moved[before]; ok {
			return now + min(line-before, 1)
		}
	}
	return 1
}

// A Watch knows the source files of a program. Its methods may be called by several goroutines.
type Watch struct {
	mine func(path string) bool

	mu    sync.Mutex
	dec   *graph.Decoder
	tape  *graph.Tape
	read  graph.Pos        // events that were searched for files
	names map[string]*file // nil: it is not watched
	files []*file
}

// A file is looked at under its path, without links.
type file struct {
	name string // as the tape has it, or else as the program was started
	path string
	ran  content     // what the run has read; of a file that is not on the tape, what there was in the beginning
	info os.FileInfo // at the last look; nil: there was no file
	now  content     // what the file holds if that is known
	next content     // what a run that is being started reads
	edit *Edit       // nil: it holds what the run has read
}

// content is what a file holds. The zero content is not known.
type content struct {
	sum  string
	text string // "": too long
}

// New returns a watch over the files that a tape names, and over its program; mine says which of them are
// watched, by absolute paths without links.
func New(tape *graph.Tape, mine func(path string) bool) *Watch {
	w := &Watch{mine: mine, names: map[string]*file{}}
	w.follow(tape)
	return w
}

// mostFiles bounds the files that are watched.
const mostFiles = 1000

// follow goes on with the tape of another run.
func (w *Watch) follow(tape *graph.Tape) {
	w.tape, w.dec, w.read = tape, tape.NewDecoder(), 0
	if program := tape.Info().Program; program != "" {
		w.add(program)
	}
}

// add returns the file of a name; nil if it is not watched.
func (w *Watch) add(name string) *file {
	f, known := w.names[name]
	if known {
		return f
	}
	path, err := filepath.Abs(name)
	if err == nil {
		path, err = filepath.EvalSymlinks(path)
	}
	if err == nil && len(w.files) < mostFiles && w.mine(path) {
		if i := slices.IndexFunc(w.files, func(f *file) bool { return f.path == path }); i >= 0 {
			f = w.files[i]
		} else if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			f = &file{path: path}
			w.files = append(w.files, f)
		}
	}
	if f != nil {
		f.name = name
	}
	w.names[name] = f
	return f
}

// scan takes what the run has read since the last look.
func (w *Watch) scan() {
	for end := w.tape.Len(); w.read < end; w.read++ {
		if k, err := w.dec.Kind(w.read); err != nil || k != graph.KindSourceRead {
			continue
		}
		_, e, err := w.dec.ReadUntimed(w.read)
		if err != nil {
			continue
		}
		read := e.(*graph.SourceRead)
		f := w.add(w.tape.String(read.File))
		switch {
		case f == nil:
		case read.LeftOut == "":
			f.ran, f.edit = contentOf([]byte(read.Text)), nil
		case read.Sum != "":
			f.ran, f.edit = content{sum: read.Sum}, nil
		}
	}
}

func contentOf(text []byte) content {
	sum := sha256.Sum256(text)
	c := content{sum: hex.EncodeToString(sum[:])}
	if len(text) <= sources.MaxText {
		c.text = string(text)
	}
	return c
}

// Look returns the files that differ from what the run has read, in the order of their names.
func (w *Watch) Look() []Edit {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.scan()
	for _, f := range w.files {
		f.look(true)
	}
	return w.edits()
}

// Restarts is called right before the program is started again. It returns the files that differ from what the
// last run has read, as they are now.
func (w *Watch) Restarts() []Edit {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.scan()
	for _, f := range w.files {
		f.look(false)
	}
	for _, f := range w.files {
		f.next = f.now
	}
	return w.edits()
}

// Follow goes on with the tape of the run that was started again. What the files held right before counts as what
// it has read, until its tape says that.
func (w *Watch) Follow(tape *graph.Tape) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, f := range w.files {
		if f.next != (content{}) {
			f.ran, f.next, f.edit = f.next, content{}, nil
		}
	}
	w.follow(tape)
}

// look reads a file that has changed since the last time; steady waits until it does not change any more.
// While there is no file, as when it is being replaced, nothing is concluded.
func (f *file) look(steady bool) {
	info, err := os.Stat(f.path)
	if err != nil || !info.Mode().IsRegular() {
		f.info, f.now = nil, content{}
		return
	}
	same := f.info != nil && os.SameFile(info, f.info) && info.ModTime().Equal(f.info.ModTime()) && info.Size() == f.info.Size()
	f.info = info
	if !same {
		f.now = content{}
	}
	if f.now == (content{}) && (same || !steady || f.ran == content{}) {
		text, err := regular.Read(f.path, sources.MaxFile)
		if err != nil {
			return
		}
		f.now = contentOf(text)
	}
	switch {
	case f.now == content{}:
	case f.ran == content{}:
		f.ran = f.now
	case f.now.sum == f.ran.sum:
		f.edit = nil
	case f.edit == nil || f.edit.Sum != f.now.sum:
		f.edit = &Edit{Sum: f.now.sum, Moved: moved(f.ran, f.now)}
	}
}

// moved finds the lines of one content in another.
func moved(from, to content) map[int]int {
	if from.text == "" || to.text == "" {
		return nil
	}
	lines := map[int]int{}
	for now, before := range compare.SameLines(split(from.text), split(to.text)) {
		lines[before] = now
	}
	return lines
}

func split(text string) []string { return strings.Split(text, "\n") }

// edits returns the edited files.
func (w *Watch) edits() (all []Edit) {
	for _, f := range w.files {
		if f.edit != nil {
			e := *f.edit
			e.Name = f.name
			all = append(all, e)
		}
	}
	slices.SortFunc(all, func(a, b Edit) int { return strings.Compare(a.Name, b.Name) })
	return all
}
