package live

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/gradtui/gradtui/graph"
)

// What is written in pieces is on the tape in pieces: the same bytes, and no character
// is torn apart that was whole.
func TestOutputIsKeptAsItIs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) })).Draw(t, "text")
		tape := graph.NewTape(graph.Limits{})
		o := newOutput(tape, 1)
		for rest := text; rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "piece")
			o.Write([]byte(rest[:n]))
			rest = rest[n:]
		}
		o.close()
		o.Write([]byte("late"))
		var got strings.Builder
		for p := range tape.Len() {
			_, e, err := tape.At(p)
			if err != nil {
				t.Fatal(err)
			}
			piece := e.(*graph.OutputWritten).Text
			if utf8.ValidString(text) && !utf8.ValidString(piece) {
				t.Errorf("%q is torn", piece)
			}
			got.WriteString(piece)
		}
		if got.String() != text {
			t.Errorf("%q became %q", text, got.String())
		}
	})
}
