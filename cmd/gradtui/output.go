package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// An output is the file that a command was asked to write. It is opened before
// the work begins, so that a path that cannot be written fails at once; what was
// in the file stays until the first byte is written.
type output struct {
	path    string // "-" for standard output
	file    *os.File
	buf     *bufio.Writer
	created bool
	written bool
}

// openOutput opens a file for writing; "" and "-" are standard output.
func openOutput(path string, stdout io.Writer) (*output, error) {
	o := &output{path: path}
	if path == "" || path == "-" {
		o.path, o.buf = "-", bufio.NewWriter(stdout)
		return o, nil
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, fmt.Errorf("cannot write %s: it is a directory", path)
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	o.created = err == nil
	if errors.Is(err, fs.ErrExist) {
		file, err = os.OpenFile(path, os.O_WRONLY, 0)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot write %s: %w", path, reason(err))
	}
	o.file = file
	o.buf = bufio.NewWriter(file)
	return o, nil
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

// buffered lets work write its result and says if that could not be written.
func buffered(w io.Writer, work func(w io.Writer) error) error {
	buf := bufio.NewWriter(w)
	err := work(buf)
	if failed := buf.Flush(); err == nil && failed != nil {
		return fmt.Errorf("cannot write the result: %w", reason(failed))
	}
	return err
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
func (o *output) Write(p []byte) (int, error) {
	if !o.written && o.file != nil {
		// Devices and pipes cannot be truncated and need not be.
		if info, err := o.file.Stat(); err == nil && info.Mode().IsRegular() {
			if err := o.file.Truncate(0); err != nil {
				return 0, err
			}
		}
	}
	o.written = true
	return o.buf.Write(p)
}

// close ends the writing. After a failure of the work a file that was made for
// it is removed.
func (o *output) close(failed error) error {
	var err error
	if failed == nil || o.written {
		err = o.buf.Flush()
	}
	if o.file != nil {
		err = errors.Join(err, o.file.Close())
		if o.created && (failed != nil || err != nil) {
			os.Remove(o.path)
		}
	}
	if failed != nil {
		return failed
	}
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", o.path, reason(err))
	}
	return nil
}
