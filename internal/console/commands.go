package console

import (
	"bytes"
	"io"
	"regexp"
	"strings"
)

// anywhere breaks the commands that Azure, and GitHub for an older form, look for anywhere in
// a line.
var anywhere = strings.NewReplacer("##[", "## [", "##vso[", "## vso[")

// command is the begin of a line that GitHub takes for a command, with colours or without. The
// three colons of an excerpt are none.
var command = regexp.MustCompile(`^(\s|\x1b\[[0-9;]*m)*::[^:]`)

// NoCommand is a line that no CI service obeys: what GitHub would take for a command at the
// beginning of a line gets a mark in front, and other commands a space.
func NoCommand(line string) string {
	line = anywhere.Replace(line)
	if BeginsCommand(line) {
		return "| " + line
	}
	return line
}

// BeginsCommand reports whether GitHub takes a line for a command because of how it begins.
func BeginsCommand(line string) bool { return command.MatchString(line) }

// NoCommands writes lines that no CI service obeys.
type NoCommands struct {
	W     io.Writer
	Clean func(string) string // is applied to whole lines first, if it is not nil

	rest   []byte // of a line that has not ended
	within bool   // rest goes on with a line whose begin was written
}

// maxRest bounds what is kept of a line that does not end.
const maxRest = 64 << 10

// Write implements io.Writer. What follows the last line end is written later.
func (n *NoCommands) Write(b []byte) (int, error) {
	n.rest = append(n.rest, b...)
	end := bytes.LastIndexByte(n.rest, '\n') + 1
	if len(n.rest)-end > maxRest {
		end = len(n.rest)
	}
	whole := string(n.rest[:end])
	n.rest = append(n.rest[:0], n.rest[end:]...)
	return len(b), n.write(whole)
}

// Flush writes a last line that has no end.
func (n *NoCommands) Flush() error {
	text := string(n.rest)
	n.rest = nil
	return n.write(text)
}

func (n *NoCommands) write(text string) error {
	if n.Clean != nil {
		text = n.Clean(text)
	}
	var out strings.Builder
	for line := range strings.Lines(text) {
		if n.within {
			line = anywhere.Replace(line)
		} else {
			line = NoCommand(line)
		}
		n.within = !strings.HasSuffix(line, "\n")
		out.WriteString(line)
	}
	_, err := io.WriteString(n.W, out.String())
	return err
}
