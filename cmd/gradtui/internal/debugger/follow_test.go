package debugger

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/graph/tapefile"
	"github.com/gradtui/gradtui/internal/testing/tapetest"
)

// readOn reads a file until there is no more.
func readOn(t *testing.T, f *growingTape) (ui.Reading, error) {
	t.Helper()
	for {
		if reading, err := f.More(); reading != ui.Behind || err != nil {
			return reading, err
		}
	}
}

func followed(t *testing.T, path string) *growingTape {
	t.Helper()
	f, err := Follow(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func TestATapeIsFollowedUntilItsWriterHasFinished(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.tape")
	tape := tapetest.Recorded(1, 100)
	w, err := tapefile.Create(path, graph.Info{}, tapefile.WriterOptions{BlockEvents: 10})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	f := followed(t, path)
	if reading, err := readOn(t, f); reading != ui.Waiting || err != nil {
		t.Error(reading, err)
	}
	if err := w.Flush(tape); err != nil {
		t.Fatal(err)
	}
	if reading, err := readOn(t, f); reading != ui.Waiting || err != nil || f.Tape().Len() != tape.Len() {
		t.Error(reading, err, f.Tape().Len())
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if reading, err := readOn(t, f); reading != ui.Finished || err != nil {
		t.Error(reading, err)
	}
}

func TestATapeThatGoesAwayIsKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.tape")
	tape := tapetest.Recorded(1, 100)
	w, err := tapefile.Create(path, graph.Info{}, tapefile.WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := w.Flush(tape); err != nil {
		t.Fatal(err)
	}
	f := followed(t, path)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, err := readOn(t, f); !errors.Is(err, tapefile.ErrLost) || f.Tape().Len() != tape.Len() {
		t.Error(err, f.Tape().Len())
	}
}

func TestATapeInTextFormIsReadToItsEnd(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.txt")
	tape := tapetest.Recorded(1, 100)
	var text strings.Builder
	if err := tapefile.WriteText(&text, tape); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	f := followed(t, path)
	if reading, err := readOn(t, f); reading != ui.Finished || err != nil || f.Tape().Len() != tape.Len() {
		t.Error(reading, err, f.Tape().Len())
	}
}

func TestATapeOfANewerVersionIsRefusedAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.tape")
	for _, start := range []string{"\x89GTAPE\r\n\x03\x00\x05\x00" + strings.Repeat("?", 100), "# gradtui tape 3.5\nwhatever"} {
		if err := os.WriteFile(path, []byte(start), 0o600); err != nil {
			t.Fatal(err)
		}
		const want = "it has the format 3.5, this one reads up to 2.x; update gradtui to open it"
		if _, err := Follow(path); !errors.Is(err, tapefile.ErrVersion) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", start[:8], err)
		}
	}
}
