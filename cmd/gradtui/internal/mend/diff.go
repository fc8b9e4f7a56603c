package mend

import (
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/gradtui/gradtui/inspect"
)

// Diff describes a fix as a unified diff of a file with these lines, the ones that ran.
func Diff(fix *inspect.Fix, name string, lines []string) (string, error) {
	before := strings.Join(lines, "\n")
	after, err := fix.Apply(before)
	if err != nil {
		return "", err
	}
	_, text, _ := strings.Cut(string(diff.Diff(name, ended(before), name, ended(after))), "\n") // without "diff OLD NEW"
	return text, nil
}

// ended is a text whose last line has an end; line ends are those of Unix.
func ended(text string) []byte {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return []byte(text)
}
