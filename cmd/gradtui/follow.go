package main

import (
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui"
	"github.com/gradtui/gradtui/graph/tapefile"
)

// A tapeFile is the file of a tape that the debugger shows while it is read, and while
// it is written to.
type tapeFile struct {
	path string
	*tapefile.Reader
}

// followTape opens a tape file. What is wrong with its header is said at once.
func followTape(path string) (*tapeFile, error) {
	if err := tapeName(path); err != nil {
		return nil, err
	}
	frugal(path)
	r, err := tapefile.OpenReader(path, tapefile.Options{})
	if err != nil {
		return nil, readError(path, err)
	}
	return &tapeFile{path, r}, nil
}

// readError says why a tape cannot be read.
func readError(path string, err error) error {
	var access *fs.PathError
	if errors.As(err, &access) {
		return fmt.Errorf("cannot read %s: %w", oneLine(path), access.Err)
	}
	return err
}

// readSlice is how long the file is read between two looks at the screen.
const readSlice = 20 * time.Millisecond

// more reads on, as [ui.Options] want it.
func (f *tapeFile) more() (ui.Reading, error) {
	for until := time.Now().Add(readSlice); time.Now().Before(until); {
		_, ok, err := f.Next()
		switch {
		case errors.Is(err, tapefile.ErrDamaged), errors.Is(err, tapefile.ErrTooLarge):
			return ui.Waiting, fmt.Errorf("%w; these are the %d events before", err, f.Tape().Len())
		case err != nil:
			return ui.Waiting, readError(f.path, err)
		case f.Finished():
			return ui.Finished, nil
		case ok:
			continue
		}
		if err := f.Lost(); err != nil {
			return ui.Waiting, fmt.Errorf("%w; what was read of it stays: %d events", err, f.Tape().Len())
		}
		return ui.Waiting, nil
	}
	return ui.Behind, nil
}
