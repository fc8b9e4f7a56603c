// Package sources puts the source files of a program on its tape, each as soon as a call
// stack names it. So what a tape shows needs nothing but the tape, and is what ran.
package sources

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/regular"
)

// What a tape has at most: of one file, and of all.
const (
	MaxText = 1 << 20
	maxAll  = 16 << 20
)

// MaxFile is the size of the largest file that counts as source code.
const MaxFile = 64 << 20

// extensions are the extensions of source code.
var extensions = []string{".py", ".pyw", ".pyi", ".pyx", ".pxd", ".pxi", ".go"}

// IsSource reports whether a file has the extension of source code.
func IsSource(name string) bool {
	return slices.Contains(extensions, strings.ToLower(filepath.Ext(name)))
}

// A Recorder puts source files on a tape.
type Recorder struct {
	// Read, if it is not nil, reads the files instead of the file system.
	Read func(name string) ([]byte, error)

	tape  *graph.Tape
	asked map[string]bool // files that were looked for
	taken map[string]bool // those on the tape
	next  graph.StackID
	total int // bytes of text on the tape
}

// NewRecorder returns a recorder for a tape.
func NewRecorder(tape *graph.Tape) *Recorder {
	return &Recorder{tape: tape, asked: map[string]bool{"": true}, taken: map[string]bool{}}
}

// Stack takes the files that a call stack and the stacks before it name.
func (r *Recorder) Stack(id graph.StackID) {
	for ; r.next <= id; r.next++ {
		for _, frame := range r.tape.Stack(r.next) {
			r.File(frame.File)
		}
	}
}

// File takes a file that a call stack names: source code, or the program itself. What is
// there under another sort of name, such as <stdin>, is not a file of the program.
func (r *Recorder) File(name string) {
	if r.asked[name] || r.taken[name] {
		return
	}
	r.asked[name] = true
	if !IsSource(name) && !same(name, r.tape.Info().Program) {
		return
	}
	if r.Read != nil {
		if text, err := r.Read(name); err == nil {
			r.Text(name, string(text))
		}
		return
	}
	file, err := regular.Open(name)
	if err != nil {
		return // its text may come from the program
	}
	defer file.Close()
	if e := r.read(name, file); e != nil {
		r.taken[name] = true
		r.tape.Append(graph.Header{}, e)
	}
}

// same reports whether two names refer to one file: Python gives the full one.
func same(a, b string) bool {
	a, err := filepath.Abs(a)
	if err != nil {
		return false
	}
	b, err = filepath.Abs(b)
	return err == nil && a == b
}

// read makes the event of a file; nil if it cannot be read.
func (r *Recorder) read(name string, file *os.File) *graph.SourceRead {
	info, err := file.Stat()
	if err != nil {
		return nil
	}
	e := &graph.SourceRead{File: r.tape.InternString(name), Size: uint64(info.Size())}
	if e.LeftOut = r.tooMuch(info.Size()); e.LeftOut == "" {
		text, err := regular.ReadAll(file, MaxText)
		if err != nil {
			return nil
		}
		e.Text, e.Size = string(text), 0
		r.total += len(text)
		return e
	}
	if info.Size() <= MaxFile {
		sum := sha256.New()
		if n, err := io.Copy(sum, io.LimitReader(file, info.Size())); err == nil && n == info.Size() {
			e.Sum = hex.EncodeToString(sum.Sum(nil))
		}
	}
	return e
}

// tooMuch says why a text is left out; "" if it is not.
func (r *Recorder) tooMuch(size int64) string {
	switch {
	case size > MaxText:
		return fmt.Sprintf("it has %d bytes, and a tape takes %d of a file", size, MaxText)
	case int64(r.total)+size > maxAll:
		return fmt.Sprintf("a tape takes %d bytes of source text, and there are more", maxAll)
	}
	return ""
}

// Text takes source text that is not in a file, under its name in the program: a cell of a notebook, a
// module in an archive.
func (r *Recorder) Text(name, text string) {
	if r.taken[name] {
		return
	}
	r.taken[name] = true
	e := &graph.SourceRead{File: r.tape.InternString(name), Text: text}
	if e.LeftOut = r.tooMuch(int64(len(text))); e.LeftOut != "" {
		e.Text, e.Size = "", uint64(len(text))
	}
	r.total += len(e.Text)
	r.tape.Append(graph.Header{}, e)
}

// A Folder holds files of a program that the user has named. What a tape leaves out may be
// read there, and nothing else.
type Folder struct{ path string }

// FolderOf is the folder of a program: of a file, or the one that was named.
func FolderOf(program string) Folder {
	path, err := filepath.Abs(program)
	if err != nil {
		return Folder{}
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return Folder{} // the import path of a Go package
	case !info.IsDir():
		path = filepath.Dir(path)
	}
	return Folder{path}
}

// Holds reports whether an absolute path without links lies below the folder.
func (f Folder) Holds(path string) bool {
	if f.path == "" {
		return false
	}
	real, err := filepath.EvalSymlinks(f.path)
	if err != nil {
		return false
	}
	below, err := filepath.Rel(real, path)
	return err == nil && filepath.IsLocal(below)
}

// Read gives the text of a file that a tape leaves out: source code in the folder, out of
// which no link leads, and the very file that was recorded.
func (f Folder) Read(name string, e *graph.SourceRead) ([]byte, error) {
	wrong := func(why string) error { return fmt.Errorf("%s is not read: %s", name, why) }
	switch {
	case f.path == "" || e.Sum == "":
		return nil, wrong("it is not known whether it is the file that ran")
	case !IsSource(name):
		return nil, wrong("its name is not one of source code")
	case e.Size > MaxFile:
		return nil, wrong("it is too large")
	}
	path, err := filepath.Abs(name)
	if err == nil {
		path, err = filepath.Rel(f.path, path)
	}
	if err != nil || !filepath.IsLocal(path) {
		return nil, wrong("it is outside the folder of the program")
	}
	root, err := os.OpenRoot(f.path)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	file, err := regular.OpenIn(root, path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := regular.ReadAll(file, int64(e.Size))
	if err != nil {
		return nil, err
	}
	if sum := sha256.Sum256(text); hex.EncodeToString(sum[:]) != e.Sum {
		return nil, wrong("it has changed since it was recorded")
	}
	return text, nil
}
