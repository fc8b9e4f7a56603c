package tapefile_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/graph/tapefile"
	"github.com/gradtui/gradtui/internal/testing/tapetest"
)

var someInfo = graph.Info{Engine: "torch 2.6.0", Program: "tränen.py", Args: []string{"--lr", "", "1e-3\n"}, Rank: 1, WorldSize: 2}

// written is a closed tape file in memory.
func written(t testing.TB, tape *graph.Tape, blockEvents int) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := tapefile.NewWriter(&b, someInfo, tapefile.WriterOptions{BlockEvents: blockEvents})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Flush(tape); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func read(data []byte) (*graph.Tape, *tapefile.Report, error) {
	return tapefile.Read(bytes.NewReader(data), int64(len(data)), tapefile.Options{})
}

// lines is the text form of a tape's first n events.
func lines(t interface{ Fatal(...any) }, tape *graph.Tape, n graph.Pos) string {
	var s strings.Builder
	d := tape.NewDecoder()
	for p := range n {
		h, e, err := d.Read(p)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&s, "%v %v %v %s %s\n", h.Time, h.Thread, tape.Stack(h.Stack), e.Kind(), tape.EventText(nil, e))
	}
	return s.String()
}

func sameTape(t interface {
	Fatal(...any)
	Helper()
}, want, got *graph.Tape) {
	t.Helper()
	if want.Len() != got.Len() {
		t.Fatal("events: ", got.Len(), ", want ", want.Len())
	}
	if diff := cmp.Diff(lines(t, want, want.Len()), lines(t, got, got.Len())); diff != "" {
		t.Fatal(diff)
	}
}

func TestATapeSurvivesAFile(t *testing.T) {
	dir := t.TempDir()
	files := 0
	check := func(t *rapid.T, tape *graph.Tape) {
		files++
		path := filepath.Join(dir, fmt.Sprint(files, ".tape"))
		w, err := tapefile.Create(path, someInfo, tapefile.WriterOptions{BlockEvents: rapid.IntRange(1, 50).Draw(t, "block")})
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(w.Flush(tape), w.Close()); err != nil {
			t.Fatal(err)
		}
		got, report, err := tapefile.Open(path, tapefile.Options{})
		if err != nil {
			t.Fatal(err)
		}
		sameTape(t, tape, got)
		if diff := cmp.Diff(someInfo, got.Info()); diff != "" {
			t.Fatal(diff)
		}
		if report.Events != int(tape.Len()) || !report.Closed || report.Rebuilt || report.Truncated || report.Damage != nil || report.Ignored != 0 {
			t.Fatalf("%+v", report)
		}
		if _, err := tapefile.Verify(path, tapefile.Options{}); err != nil {
			t.Fatal(err)
		}
		info, stat, err := tapefile.Stat(path, tapefile.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(report, stat); diff != "" || !cmp.Equal(info, someInfo) {
			t.Fatal(diff)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	t.Run("well formed", rapid.MakeCheck(func(t *rapid.T) { check(t, tapetest.WellFormed(t)) }))
	t.Run("hostile", rapid.MakeCheck(func(t *rapid.T) { check(t, tapetest.Hostile(t)) }))
}

func TestBlocksSayWhatTheyHold(t *testing.T) {
	tape := tapetest.Recorded(1, 100)
	_, report, err := read(written(t, tape, 30))
	if err != nil {
		t.Fatal(err)
	}
	next := graph.Pos(0)
	for _, b := range report.Blocks {
		if b.First != next {
			t.Errorf("block begins with event %d, want %d", b.First, next)
		}
		next += graph.Pos(b.Events)
		var kinds tapefile.KindSet
		for p := b.First; p < next; p++ {
			h, e, _ := tape.At(p)
			kinds.Add(e.Kind())
			if p == b.First && h.Time != b.Start || p == next-1 && h.Time != b.End {
				t.Errorf("event %d at %v, block from %v to %v", p, h.Time, b.Start, b.End)
			}
		}
		if kinds != b.Kinds || !b.Kinds.Has(graph.KindTensorCreated) && kinds.Has(graph.KindTensorCreated) || kinds.Has(0) || kinds.Len() < 3 {
			t.Errorf("kinds %x, want %x", b.Kinds, kinds)
		}
	}
	if next != tape.Len() {
		t.Errorf("blocks of %d events, want %d", next, tape.Len())
	}
}

// A program that is killed leaves a file that ends anywhere.
func TestAFileThatWasCutOffLosesAtMostItsLastBlock(t *testing.T) {
	tape := tapetest.Recorded(2, 60)
	data := written(t, tape, 10)
	_, whole, err := read(data)
	if err != nil {
		t.Fatal(err)
	}
	want := lines(t, tape, tape.Len())
	first := int(whole.Blocks[0].Offset)
	for n := range data {
		got, report, err := read(data[:n])
		switch {
		case n < 8 && errors.Is(err, tapefile.ErrHeader), n == 0 && errors.Is(err, tapefile.ErrNotTape), n < first && errors.Is(err, tapefile.ErrHeader):
			continue
		case n < first || err != nil:
			t.Fatalf("%d bytes: %v", n, err)
		}
		events, end := 0, first
		for _, b := range whole.Blocks {
			if int(b.Offset)+b.Size <= n {
				events, end = events+b.Events, int(b.Offset)+b.Size
			}
		}
		if report.Events != events || report.Truncated != (end < n) || report.Ignored != int64(n-end) || report.Closed || !report.Rebuilt || report.Damage != nil {
			t.Fatalf("%d bytes: %+v, want %d events", n, report, events)
		}
		if !strings.HasPrefix(want, lines(t, got, got.Len())) {
			t.Fatalf("%d bytes: other events", n)
		}
	}
}

var documented = []error{tapefile.ErrNotTape, tapefile.ErrVersion, tapefile.ErrHeader, tapefile.ErrDamaged, tapefile.ErrTooLarge}

func isDocumented(err error) bool {
	for _, d := range documented {
		if errors.Is(err, d) {
			return true
		}
	}
	return err == nil
}

func TestDamageIsNoticed(t *testing.T) {
	tape := tapetest.Recorded(3, 40)
	data := written(t, tape, 20)
	want := lines(t, tape, tape.Len())
	for i := range data {
		for _, flip := range []byte{1 << (i % 8), 0xff} {
			data[i] ^= flip
			got, report, err := read(data)
			data[i] ^= flip
			switch {
			case !isDocumented(err):
				t.Fatalf("byte %d: %v", i, err)
			case err != nil:
				continue
			case report.Damage == nil && !report.Rebuilt && !report.Truncated:
				t.Fatalf("byte %d: %+v", i, report)
			case report.Damage != nil && !errors.Is(report.Damage, tapefile.ErrDamaged):
				t.Fatalf("byte %d: %v", i, report.Damage)
			case !strings.HasPrefix(want, lines(t, got, got.Len())):
				t.Fatalf("byte %d: other events", i)
			}
		}
	}
}

func TestVerifyNamesWhatIsWrong(t *testing.T) {
	tape := tapetest.Recorded(4, 100)
	data := written(t, tape, 20)
	_, report, _ := read(data)
	last := report.Blocks[len(report.Blocks)-1]
	index := int(last.Offset) + last.Size
	cut := func(n int) []byte { return data[:n] }
	for _, c := range []struct {
		name, want string
		data       []byte
	}{
		{"whole", "", data},
		{"the index is missing", "the index is missing", cut(index)},
		{"half an index", "it ends in the middle of a block, 10 bytes were ignored", cut(index + 10)},
		{"half a block", "it ends in the middle of a block, 5 bytes were ignored", cut(int(last.Offset) + 5)},
		{"something behind the index", "3 bytes follow the index", append(bytes.Clone(data), "abc"...)},
		{"zeros behind the blocks", "no block begins here", append(bytes.Clone(cut(index)), make([]byte, 100)...)},
		{"a damaged block", "the checksum of a block does not match", flipped(data, index-3)},
		{"a damaged index", "the checksum of the index does not match", flipped(data, index+20)},
	} {
		path := filepath.Join(t.TempDir(), "t.tape")
		if err := os.WriteFile(path, c.data, 0o600); err != nil {
			t.Fatal(err)
		}
		report, err := tapefile.Verify(path, tapefile.Options{})
		if c.want == "" {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		if !errors.Is(err, tapefile.ErrDamaged) || !strings.Contains(err.Error(), c.want) || report == nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func flipped(data []byte, i int) []byte {
	data = bytes.Clone(data)
	data[i] ^= 0x10
	return data
}

func TestStatScansAFileWithoutAnIndex(t *testing.T) {
	data := written(t, tapetest.Recorded(5, 200), 20)
	_, whole, _ := read(data)
	last := whole.Blocks[len(whole.Blocks)-1]
	for name, data := range map[string][]byte{
		"cut":     data[:last.Offset+40],
		"damaged": flipped(data, int(last.Offset)+30)[:len(data)-1],
		"index":   flipped(data, len(data)-5),
	} {
		path := filepath.Join(t.TempDir(), "t.tape")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		info, report, err := tapefile.Stat(path, tapefile.Options{})
		want := whole.Blocks
		if name != "index" {
			want = want[:len(want)-1]
		}
		if err != nil || !cmp.Equal(want, report.Blocks) || !cmp.Equal(info, someInfo) || !report.Rebuilt || report.Closed {
			t.Errorf("%s: %+v, %v", name, report, err)
		}
		if (report.Damage != nil) != (name == "damaged") || report.Truncated == (name == "damaged") {
			t.Errorf("%s: %+v", name, report)
		}
	}
}

func TestOtherFilesAreNoTapes(t *testing.T) {
	dir := t.TempDir()
	for name, data := range map[string]string{
		"empty":    "",
		"zip":      "PK\x03\x04archive",
		"python":   "#!/usr/bin/env python3\nimport torch\n",
		"zeros":    string(make([]byte, 10000)),
		"comments": strings.Repeat("# nothing\n", 1000),
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		tape, report, err := tapefile.Open(path, tapefile.Options{})
		if !errors.Is(err, tapefile.ErrNotTape) || tape != nil || report != nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, _, err := tapefile.Open(dir, tapefile.Options{}); !errors.Is(err, tapefile.ErrNotTape) {
		t.Error(err)
	}
	if _, _, err := tapefile.Open(filepath.Join(dir, "missing"), tapefile.Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

func TestATapeThatIsTooLargeIsRefused(t *testing.T) {
	tape := tapetest.Recorded(6, 3000)
	want := lines(t, tape, tape.Len())
	for name, data := range map[string][]byte{"binary": written(t, tape, 100), "text": textForm(t, tape)} {
		const limit = 100_000
		got, report, err := tapefile.Read(bytes.NewReader(data), int64(len(data)), tapefile.Options{MaxBytes: limit})
		if !errors.Is(err, tapefile.ErrTooLarge) || !strings.Contains(err.Error(), "too large for 100000 bytes of memory") {
			t.Fatalf("%s: %v", name, err)
		}
		if got.Size() > limit+2000 || got.Len() < 200 || report.Events != int(got.Len()) {
			t.Errorf("%s: %d events in %d bytes", name, got.Len(), got.Size())
		}
		if !strings.HasPrefix(want, lines(t, got, 200)) {
			t.Errorf("%s: other events", name)
		}
	}
}

func textForm(t testing.TB, tape *graph.Tape) []byte {
	var b bytes.Buffer
	if err := tapefile.WriteText(&b, tape); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestTheTextFormIsRead(t *testing.T) {
	tape := tapetest.Recorded(7, 100)
	tape.SetInfo(someInfo)
	data := textForm(t, tape)
	got, report, err := read(data)
	if err != nil || !report.Text || report.Events != int(tape.Len()) || report.Damage != nil {
		t.Fatal(report, err)
	}
	sameTape(t, tape, got)
	if diff := cmp.Diff(someInfo, got.Info()); diff != "" {
		t.Error(diff)
	}
	if again := textForm(t, got); !bytes.Equal(again, data) {
		t.Error(cmp.Diff(string(data), string(again)))
	}

	byHand := "\n# engine \"not a header\"\n\n+0s iteration number=1\r\n"
	got, _, err = read([]byte(byHand))
	if err != nil || got.Len() != 1 || got.Info().Engine != "" {
		t.Error(got, err)
	}
	got, _, err = read([]byte("# gradtui tape 1.3\n# color \"red\"\n+0s iteration number=1\n+0s iteration numbr=2\n"))
	if !errors.Is(err, tapefile.ErrDamaged) || !strings.Contains(err.Error(), "line 4") || got.Len() != 1 {
		t.Error(got, err)
	}
	_, _, err = read([]byte("# gradtui tape 3.0\n+0s iteration number=1\n"))
	if !errors.Is(err, tapefile.ErrVersion) {
		t.Error(err)
	}
}

func TestTheDocumentedTextIsATape(t *testing.T) {
	doc, err := os.ReadFile("../../docs/internals/tape-format.md")
	if err != nil {
		t.Fatal(err)
	}
	_, example, _ := bytes.Cut(doc, []byte("## Text\n\n```\n"))
	example, _, _ = bytes.Cut(example, []byte("```"))
	tape, _, err := read(example)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(example), string(textForm(t, tape))); diff != "" {
		t.Error(diff)
	}
}
