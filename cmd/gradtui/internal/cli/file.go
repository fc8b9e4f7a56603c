package cli

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

// A File is the output file of a command. It is created before the work begins, so that a path
// that cannot be written fails at once. An existing file is replaced when the new one is
// complete.
type File struct {
	Path string   // "-" for standard output
	file *os.File // nil for standard output
	buf  *bufio.Writer

	part   bool     // file is beside the one that it replaces
	target string   // the file that is replaced, which path may be a link to
	old    *os.File // the file that is replaced, if there is one
	inside bool     // the complete output is copied into old, which stays
}

// Create opens a file for writing; "" and "-" are standard output.
func Create(path string, stdout io.Writer) (*File, error) {
	o := &File{Path: path, target: path}
	if path == "" || path == "-" {
		o.Path, o.buf = "-", bufio.NewWriter(stdout)
		return o, nil
	}
	if err := o.open(); err != nil {
		if o.old != nil {
			o.old.Close()
		}
		return nil, fmt.Errorf("cannot write %s: %w", OneLine(path), Reason(err))
	}
	o.buf = bufio.NewWriter(o.file)
	return o, nil
}

func (o *File) open() (err error) {
	if link, err := os.Lstat(o.Path); err == nil && link.Mode()&fs.ModeSymlink != 0 {
		if o.target, err = filepath.EvalSymlinks(o.Path); err != nil {
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

// sameFile reports whether two names refer to the same file.
func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// NotAnInput refuses an output that is one of the files that a command reads, even under another
// name.
func NotAnInput(output string, inputs ...string) error {
	for _, in := range inputs {
		if !sameFile(output, in) {
			continue
		}
		what := "an input"
		if in != output {
			what = "the input " + OneLine(in)
		}
		return fmt.Errorf("cannot write %s: it is %s; name another file", OneLine(output), what)
	}
	return nil
}

// ErrExists is the error for a file that exists and may be replaced with --force only.
func ErrExists(path string) error {
	return fmt.Errorf("%s exists; --force overwrites it", OneLine(path))
}

// NotThere refuses an output that is a file already. Devices and pipes are written to.
func NotThere(output string) error {
	if info, err := os.Stat(output); err == nil && info.Mode().IsRegular() {
		return ErrExists(output)
	}
	return nil
}

// Inputs returns the files that a program or a tape may be read from. Its arguments may be files
// as well.
func Inputs(target string, args []string) []string {
	return append([]string{target, filepath.Join(target, "__main__.py")}, args...)
}

// Buffered lets work write its result and says if that could not be written.
func Buffered(w io.Writer, work func(w io.Writer) error) error {
	lines := &console.NoCommands{W: w}
	buf := bufio.NewWriter(lines)
	err := work(buf)
	if failed := errors.Join(buf.Flush(), lines.Flush()); err == nil && failed != nil {
		return fmt.Errorf("cannot write the result: %w", Reason(failed))
	}
	return err
}

// Stdout reports whether the output is standard output.
func (o *File) Stdout() bool { return o.file == nil }

// Write implements io.Writer.
func (o *File) Write(p []byte) (int, error) { return o.buf.Write(p) }

// Close ends the writing. If the work failed, an existing file is unchanged.
func (o *File) Close(failed error) error {
	err := o.buf.Flush() // or why the work could not write
	if o.file != nil {
		err = cmp.Or(err, o.finish(err == nil && failed == nil))
	}
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", OneLine(o.Path), Reason(err))
	}
	return failed
}

// finish closes the file and gives it its place, if it is complete.
func (o *File) finish(complete bool) error {
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

// copy copies the complete output into a file that cannot be replaced.
func (o *File) copy() error {
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
