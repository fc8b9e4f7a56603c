package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/tuitest"
	"github.com/gradtui/gradtui/graph/tapefile"
)

// tapeOf records a demo and returns the path of its tape.
func tapeOf(t *testing.T, demo string) string {
	t.Helper()
	tape := filepath.Join(t.TempDir(), demo+".tape")
	if text, err := exec.Command("gradtui", "demo", demo, "-o", tape).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return tape
}

func TestATapeIsOpenedAndTheTerminalIsLeftAsItWas(t *testing.T) {
	tape := tapeOf(t, "inplace")
	for _, c := range []struct {
		name     string
		terminal tuitest.Terminal
		end      func(*tuitest.Session)
	}{
		{"q", tuitest.Terminal{}, func(s *tuitest.Session) { s.Keys("q") }},
		{"ctrl+c", tuitest.Terminal{}, func(s *tuitest.Session) { s.Keys("ctrl+c") }},
		{"in an old terminal", tuitest.Terminal{Columns: 80, Rows: 24, Plain: true}, func(s *tuitest.Session) { s.Keys("q") }},
		{"without colours", tuitest.Terminal{Env: []string{"NO_COLOR=1"}}, func(s *tuitest.Session) { s.Keys("q") }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := tuitest.Start(t, c.terminal, "gradtui", "open", tape)
			s.Until("MulBackward0")
			c.end(s)
			s.Exit(0)
		})
	}
}

func TestASignalEndsTheDebuggerAndTheTerminalIsLeftAsItWas(t *testing.T) {
	tape := tapeOf(t, "inplace")
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		t.Run(signal.String(), func(t *testing.T) {
			s := tuitest.Start(t, tuitest.Terminal{}, "gradtui", "open", tape)
			s.Until("MulBackward0")
			s.Signal(signal)
			s.Exit(0)
		})
	}
}

func TestAnyKeyInAnyPlaceLeavesTheDebuggerRunning(t *testing.T) {
	s := tuitest.Start(t, tuitest.Terminal{Columns: 100, Rows: 30}, "gradtui", "open", tapeOf(t, "inplace"))
	s.Until("MulBackward0")
	keys := strings.Fields("down up pgdown pgup left right home end enter esc tab space backspace n N s S l L c C g G m M x / : ? 1 2 3 4 5 6 7 b y h j k v f r o p d w z ctrl+f ctrl+u alt+x f1")
	sizes := [][2]int{{1, 1}, {20, 5}, {300, 90}, {100, 30}}
	state := uint32(1) // a pseudo-random walk that is the same each time
	for i := range 400 {
		state = state*1664525 + 1013904223
		s.Keys(keys[int(state>>8)%len(keys)])
		if i%40 == 39 {
			size := sizes[i/40%len(sizes)]
			s.Resize(size[0], size[1])
		}
	}
	s.Resize(100, 30)
	s.Keys("ctrl+c", "ctrl+c", "ctrl+c", "ctrl+c") // out of whatever is open, and then out
	s.Exit(0)
}

func TestWhatAProgramCallsItsTensorsIsShownAndNotObeyed(t *testing.T) {
	tape, _, err := tapefile.Open(tapeOf(t, "inplace"), tapefile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := tapefile.WriteText(&text, tape); err != nil {
		t.Fatal(err)
	}
	hostile := filepath.Join(t.TempDir(), "hostile.tape")
	evil := strings.NewReplacer(
		`"force"`, `"\x1b]7777;force\a"`, `"pos"`, `"\x1b[7777mpos"`, `"stiffness"`, `"\u009b7777mstiff\r\nness\x00"`,
		`"MulBackward0"`, `"\x1b[7777mMulBackward0"`, "inplace.go", `in\x1b[7777mplace.go`,
	).Replace(text.String())
	if err := os.WriteFile(hostile, []byte(evil), 0o666); err != nil {
		t.Fatal(err)
	}
	s := tuitest.Start(t, tuitest.Terminal{}, "gradtui", "open", hostile)
	s.Until("7777mMulBackward0")
	s.Until("7777;force")
	for _, key := range strings.Fields("x esc C enter tab tab tab tab tab / m u l enter n s N S ? esc") {
		s.Keys(key)
	}
	s.Keys("ctrl+c", "ctrl+c", "ctrl+c")
	s.Exit(0)
	for _, obeyed := range []string{"\x1b[7777", "\x1b]7777", "\u009b7777"} {
		if i := bytes.Index(s.Raw(), []byte(obeyed)); i >= 0 {
			t.Errorf("%q has reached the terminal: %q", obeyed, s.Raw()[i:min(i+80, len(s.Raw()))])
		}
	}
}
