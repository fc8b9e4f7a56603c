package tuitest

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/internal/terminal"
)

// Golden waits until the text of the screen is that of testdata/NAME.golden. With the flag
// -update of the test binary, if the package defines one, it writes the file.
func (s *Session) Golden(name string) {
	s.t.Helper()
	s.golden(name+".golden", terminal.Screen.String)
}

// GoldenStyles does the same with the colours and attributes, in testdata/NAME.styles.
func (s *Session) GoldenStyles(name string) {
	s.t.Helper()
	s.golden(name+".styles", terminal.Screen.Styles)
}

func (s *Session) golden(name string, text func(terminal.Screen) string) {
	s.t.Helper()
	file := filepath.Join("testdata", name)
	if updating() {
		s.do(os.MkdirAll("testdata", 0o777))
		s.do(os.WriteFile(file, []byte(text(s.quiet())), 0o666))
		return
	}
	want, err := os.ReadFile(file)
	s.do(err)
	ctx, cancel := s.context()
	defer cancel()
	screen, err := s.terminal.Wait(ctx, func(screen terminal.Screen) bool { return text(screen) == string(want) })
	if err != nil {
		s.fail(screen, "not %s (-want +got; %v):\n%s", file, err, cmp.Diff(string(want), text(screen)))
	}
}

// updating says whether golden files are to be written.
func updating() bool {
	update := flag.Lookup("update")
	return update != nil && update.Value.String() == "true"
}

// quiet is the screen when the command has written nothing for a while. Only writing a
// golden file needs that: whoever reads one knows what the screen has to be.
func (s *Session) quiet() terminal.Screen {
	s.t.Helper()
	for mark := -1; mark != s.Mark(); {
		mark = s.Mark()
		ctx, cancel := context.WithTimeout(context.Background(), time.Second/2)
		s.terminal.Wait(ctx, func(terminal.Screen) bool { return s.Mark() != mark })
		cancel()
	}
	return s.terminal.Screen()
}
