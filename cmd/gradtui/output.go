package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gradtui/gradtui/internal/console"
	"github.com/gradtui/gradtui/internal/own"
	"github.com/gradtui/gradtui/internal/replace"
)

// An output is the file that a command was asked to write. What it is written to is made
// before the work begins, so that a path that cannot be written fails at once; it takes the
// place of a file that exists when it is complete.
type output struct {
	path string   // "-" for standard output
	file *os.File // nil for standard output
	buf  *bufio.Writer

	part   bool     // file is beside the one that it replaces
	target string   // the file that is replaced, which path may be a link to
	old    *os.File // the file that is replaced, if there is one
	inside bool     // what is complete goes into old, which stays
}

// openOutput opens a file for writing; "" and "-" are standard output.
func openOutput(path string, stdout io.Writer) (*output, error) {
	o := &output{path: path, target: path}
	if path == "" || path == "-" {
		o.path, o.buf = "-", bufio.NewWriter(stdout)
		return o, nil
	}
	if err := o.open(); err != nil {
		if o.old != nil {
			o.old.Close()
		}
		return nil, fmt.Errorf("cannot write %s: %w", oneLine(path), reason(err))
	}
	o.buf = bufio.NewWriter(o.file)
	return o, nil
}

func (o *output) open() (err error) {
	if link, err := os.Lstat(o.path); err == nil && link.Mode()&fs.ModeSymlink != 0 {
		if o.target, err = filepath.EvalSymlinks(o.path); err != nil {
			return err
		}
	}
	mode := fs.FileMode(0o666)
	switch info, err := os.Stat(o.target); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case info.IsDir():
		return errors.New("it is a directory")
	case !info.Mode().IsRegular(): // a device or a pipe
		o.file, err = os.OpenFile(o.target, os.O_WRONLY, 0)
		return err
	default:
		if o.old, err = os.OpenFile(o.target, os.O_WRONLY, 0); err != nil {
			return err
		}
		mode = info.Mode().Perm()
		o.inside = !own.Mine(info) // it belongs to the same user afterwards
	}
	dir, name := filepath.Split(o.target)
	o.part = true
	o.file, err = replace.Create(filepath.Join(dir, "."+name+".gradtui-part"), mode)
	switch {
	case err == nil && o.old != nil:
		return o.file.Chmod(mode)
	case errors.Is(err, fs.ErrPermission) && o.old != nil: // the file can be written to, not its folder
		o.inside = true
		o.file, err = os.CreateTemp("", "gradtui-output-")
	}
	return err
}

// sameFile reports whether two names are those of one file.
func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// notAnInput refuses an output that is one of the files that a command reads, also by another
// name of it.
func notAnInput(output string, inputs ...string) error {
	for _, in := range inputs {
		if !sameFile(output, in) {
			continue
		}
		what := "it"
		if in != output {
			what = "it is " + oneLine(in) + ", which"
		}
		return fmt.Errorf("cannot write %s: %s is read; name another file", oneLine(output), what)
	}
	return nil
}

// inputs are the files that a program or a tape may be read from. Its arguments may be files,
// too.
func inputs(target string, args []string) []string {
	return append([]string{target, filepath.Join(target, "__main__.py")}, args...)
}

// buffered lets work write its result and says if that could not be written.
func buffered(w io.Writer, work func(w io.Writer) error) error {
	lines := &console.NoCommands{W: w}
	buf := bufio.NewWriter(lines)
	err := work(buf)
	if failed := errors.Join(buf.Flush(), lines.Flush()); err == nil && failed != nil {
		return fmt.Errorf("cannot write the result: %w", reason(failed))
	}
	return err
}

// A printer writes what a program says, without control characters.
type printer struct{ w io.Writer }

func (p printer) Write(b []byte) (int, error) {
	_, err := io.WriteString(p.w, printable(string(b)))
	return len(b), err
}

// reason is a path error without the path, which the message names already.
func reason(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

func (o *output) stdout() bool { return o.file == nil }

// beside are the streams of a program whose standard output must not get between what
// is written.
func (s streams) beside(o *output) streams {
	if o.stdout() {
		s.out = s.err
	}
	return s
}

// Write implements io.Writer.
func (o *output) Write(p []byte) (int, error) { return o.buf.Write(p) }

// close ends the writing. After a failure of the work the file is what it was.
func (o *output) close(failed error) error {
	err := o.buf.Flush() // or why the work could not write
	if o.file != nil {
		err = cmp.Or(err, o.finish(err == nil && failed == nil))
	}
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", oneLine(o.path), reason(err))
	}
	return failed
}

// finish closes the file and gives it its place, if it is complete.
func (o *output) finish(complete bool) error {
	if o.old != nil {
		defer o.old.Close()
	}
	if !o.part {
		return o.file.Close()
	}
	if complete && !o.inside {
		err := replace.Finish(o.file, o.target)
		if err == nil || o.old == nil {
			os.Remove(o.file.Name())
			return err
		}
		o.inside = true // it has a file system of its own, for example
	}
	o.file.Close()
	defer os.Remove(o.file.Name())
	if complete {
		return o.copy()
	}
	return nil
}

// copy puts what is complete into the file that cannot be replaced.
func (o *output) copy() error {
	from, err := os.Open(o.file.Name())
	if err != nil {
		return err
	}
	defer from.Close()
	if err := o.old.Truncate(0); err != nil {
		return err
	}
	_, err = io.Copy(o.old, from)
	return err
}
