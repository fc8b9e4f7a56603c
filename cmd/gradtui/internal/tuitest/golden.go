package tuitest

import (
	"flag"
	"os"
	"path/filepath"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/internal/terminal"
)

// Golden waits until the screen shows the text of testdata/NAME.golden. If the test binary
// has a flag -update and it is set, Golden writes the file.
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
	ctx, cancel := s.context()
	defer cancel()
	if updating() { // the final screen is not known, so take one that does not change for a while
		s.do(s.terminal.Quiet(ctx, time.Second/2))
		s.do(os.MkdirAll("testdata", 0o777))
		s.do(os.WriteFile(file, []byte(text(s.terminal.Screen())), 0o666))
		return
	}
	want, err := os.ReadFile(file)
	s.do(err)
	screen, err := s.terminal.Wait(ctx, func(screen terminal.Screen) bool { return text(screen) == string(want) })
	if err != nil {
		s.fail(screen, "not %s (-want +got; %v):\n%s", file, err, cmp.Diff(string(want), text(screen)))
	}
}

// updating reports whether golden files are to be written.
func updating() bool {
	update := flag.Lookup("update")
	return update != nil && update.Value.String() == "true"
}
