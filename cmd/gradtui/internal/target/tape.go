package target

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime/debug"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/cli"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/graph/tapefile"
)

// CheckTapeName checks the name of a tape for commands that take nothing else.
func CheckTapeName(name string) error {
	if name == Stdin {
		return errors.New("a tape cannot be read from standard input; give the name of a file")
	}
	return nil
}

// OpenTape reads a tape from a file. Damage at its end is reported, and what
// comes before it is used.
func OpenTape(path string, warn io.Writer) (*graph.Tape, error) {
	tape, damage, err := readTape(path, warn)
	if damage != "" {
		fmt.Fprintln(warn, "gradtui:", cli.OneLine(damage))
	}
	return tape, err
}

// readTape reads a tape from a file and says what is wrong with the end of it.
func readTape(path string, w io.Writer) (tape *graph.Tape, damage string, err error) {
	if err := CheckTapeName(path); err != nil {
		return nil, "", err
	}
	CollectOften(path)
	r, err := tapefile.OpenReader(path, tapefile.Options{})
	if err != nil {
		return nil, "", ReadError(path, err)
	}
	defer r.Close()
	done := cli.Working(w, "reading "+cli.ShortName(path), cli.CountEvents(r.Tape()))
	tape, report, err := r.All()
	done()
	switch {
	case err != nil:
		return nil, "", ReadError(path, err)
	case report.Damage != nil:
		damage = fmt.Sprintf("%s: %s; using the %d events before it", path, report.Damage, tape.Len())
	case report.Truncated:
		damage = fmt.Sprintf("%s ends in the middle of a block: gradtui was killed while recording; using its %d whole events", path, tape.Len())
	case !report.Closed:
		damage = fmt.Sprintf("%s has no end: gradtui was killed while recording, or is still recording; using the %d events before it", path, tape.Len())
	}
	return tape, damage, nil
}

// ReadError says why a tape cannot be read.
func ReadError(path string, err error) error {
	var access *fs.PathError
	if errors.As(err, &access) {
		return fmt.Errorf("cannot read %s: %w", cli.OneLine(path), access.Err)
	}
	return err
}

const (
	// longTape is the size of a file beyond which its tape is a long one: a few hundred
	// thousand events.
	longTape = 4 << 20
	// frugalPercent is how much garbage there may be beside what is in use while a long
	// tape is read. What is kept of one has few pointers, so collecting is cheap.
	frugalPercent = 30
)

// CollectOften makes the collector run more often where a file holds a long tape, unless the
// user has said how often.
func CollectOften(path string) {
	if info, err := os.Stat(path); err == nil && info.Size() > longTape && os.Getenv("GOGC") == "" {
		debug.SetGCPercent(frugalPercent)
	}
}

// NoteNewer says that a tape is going to be replaced by another one, or would have been.
func NoteNewer(w io.Writer, path string) {
	if part := tapefile.PartName(path); cli.Exists(part) {
		fmt.Fprintf(cli.Notes(w), "gradtui: %s is newer than %s: it is still being written, or gradtui was killed while writing it\n", cli.OneLine(part), cli.OneLine(path))
	}
}
