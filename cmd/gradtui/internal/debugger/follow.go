package debugger

import (
	"errors"
	"fmt"
	"time"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/target"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui"
	"github.com/gradtui/gradtui/graph/tapefile"
)

// A growingTape is a tape file that the debugger shows while it reads it, and while the file
// grows.
type growingTape struct {
	path string
	*tapefile.Reader
}

// Follow opens a tape file. It returns errors in the header at once.
func Follow(path string) (*growingTape, error) {
	if err := target.CheckTapeName(path); err != nil {
		return nil, err
	}
	target.CollectOften(path)
	r, err := tapefile.OpenReader(path, tapefile.Options{})
	if err != nil {
		return nil, target.ReadError(path, err)
	}
	return &growingTape{path, r}, nil
}

// readSlice is how long the file is read between two looks at the screen.
const readSlice = 20 * time.Millisecond

// More reads more of the file, as [ui.Options] asks for it.
func (f *growingTape) More() (ui.Reading, error) {
	for until := time.Now().Add(readSlice); time.Now().Before(until); {
		_, ok, err := f.Next()
		switch {
		case errors.Is(err, tapefile.ErrDamaged), errors.Is(err, tapefile.ErrTooLarge):
			return ui.Waiting, fmt.Errorf("%w; showing the %d events before it", err, f.Tape().Len())
		case err != nil:
			return ui.Waiting, target.ReadError(f.path, err)
		case f.Finished():
			return ui.Finished, nil
		case ok:
			continue
		}
		if err := f.Lost(); err != nil {
			return ui.Waiting, fmt.Errorf("%w; keeping the %d events that were read", err, f.Tape().Len())
		}
		return ui.Waiting, nil
	}
	return ui.Behind, nil
}
