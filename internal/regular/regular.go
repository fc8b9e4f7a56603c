// Package regular opens files whose names come from a user, a tape or a folder. Only
// regular files are opened: reading a named pipe waits for a writer that may never come,
// and devices do things when they are read.
package regular

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// Error is the error of a name that is not one of a regular file.
type Error struct {
	Mode fs.FileMode // of what is there instead
}

// kinds are words for what is not a regular file.
var kinds = []struct {
	mode fs.FileMode
	name string
}{
	{fs.ModeDir, "a folder"},
	{fs.ModeNamedPipe, "a named pipe"},
	{fs.ModeSocket, "a socket"},
	{fs.ModeDevice, "a device"},
}

func (e *Error) Error() string {
	for _, k := range kinds {
		if e.Mode&k.mode != 0 {
			return "it is " + k.name + ", not a file"
		}
	}
	return "it is not a regular file"
}

// Open opens a file for reading. The error wraps [*Error] if there is something else under
// the name. It never waits.
func Open(name string) (*os.File, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if err := check(name, info); err != nil {
		return nil, err // not even opened: that alone rewinds a tape, or takes a terminal
	}
	return opened(os.OpenFile(name, os.O_RDONLY|nonblock, 0))
}

// nonblock keeps opening from waiting, should a pipe have come in between.
const nonblock = syscall.O_NONBLOCK

// OpenIn is [Open] for a file below a folder.
func OpenIn(root *os.Root, name string) (*os.File, error) {
	info, err := root.Stat(name)
	if err != nil {
		return nil, err
	}
	if err := check(name, info); err != nil {
		return nil, err
	}
	return opened(root.OpenFile(name, os.O_RDONLY|nonblock, 0))
}

// opened closes a file that is not a regular one.
func opened(file *os.File, err error) (*os.File, error) {
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil {
		err = check(file.Name(), info)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

func check(name string, info fs.FileInfo) error {
	if info.Mode().IsRegular() {
		return nil
	}
	return &fs.PathError{Op: "open", Path: name, Err: &Error{info.Mode()}}
}

// Read is the content of a file of a number of bytes at most.
func Read(name string, most int64) ([]byte, error) {
	file, err := Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return ReadAll(file, most)
}

// ReadAll is what is left of a file, unless that is more than a number of bytes.
func ReadAll(file *os.File, most int64) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(file, most+1))
	if err == nil && int64(len(text)) > most {
		return nil, &fs.PathError{Op: "read", Path: file.Name(), Err: fmt.Errorf("it has more than %d bytes", most)}
	}
	return text, err
}
