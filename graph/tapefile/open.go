package tapefile

import (
	"errors"
	"io"

	"github.com/gradtui/gradtui/graph"
)

// Open loads a tape file, in binary or in text form.
//
// A file that was cut off, or is damaged from some point on, is not an error: the
// report says so, and the tape holds the events before. Errors come from the file
// system or are declared by this package. With [ErrTooLarge], and with an error in
// a tape in text form, which names the line, the tape holds the events before as
// well; otherwise it is nil.
func Open(path string, o Options) (*graph.Tape, *Report, error) {
	r, err := OpenReader(path, o)
	if err != nil {
		return nil, nil, err
	}
	defer r.Close()
	return r.All()
}

// Read loads a tape as [Open] does from something of the given size.
func Read(src io.ReaderAt, size int64, o Options) (*graph.Tape, *Report, error) {
	r, err := newReader(src, func() (int64, error) { return size, nil }, o)
	if err != nil {
		return nil, nil, err
	}
	defer r.Close()
	return r.All()
}

// All reads the file to its end, as [Open] does.
func (r *Reader) All() (*graph.Tape, *Report, error) {
	_, err := r.More()
	rep := r.Report()
	switch {
	case err == nil, errors.Is(err, ErrTooLarge), rep.Text:
		return r.tape, &rep, err
	case errors.Is(err, ErrDamaged):
		return r.tape, &rep, nil
	}
	return nil, nil, err
}
