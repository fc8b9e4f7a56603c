package cli

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"golang.org/x/term"

	"github.com/gradtui/gradtui/internal/console"
)

// Streams are where the command reads and writes.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// ToStderr returns the streams for a program whose output must not mix with what the command
// itself writes to standard output.
func (s Streams) ToStderr() Streams {
	s.Out = s.Err
	return s
}

// Beside returns the streams for a program that runs while o is written: the program's output
// goes to standard error if o is standard output.
func (s Streams) Beside(o *File) Streams {
	if o.Stdout() {
		return s.ToStderr()
	}
	return s
}

// IsTerminal reports whether a stream is a terminal.
func IsTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// TextColumns is how wide text for people is.
const TextColumns = 80

// Printable makes text from programs and files safe for the terminal.
func Printable(s string) string { return console.Printable(s) }

// OneLine makes a name, which may hold line ends, a part of a line.
func OneLine(s string) string { return console.OneLine(s) }

// Reason is a path error without the path, which the message names already.
func Reason(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// A Printer writes a program's output without control characters.
type Printer struct{ W io.Writer }

// Write implements io.Writer.
func (p Printer) Write(b []byte) (int, error) {
	_, err := io.WriteString(p.W, Printable(string(b)))
	return len(b), err
}

// Exists reports whether a file, or a link, has this name.
func Exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
