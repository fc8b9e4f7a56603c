package tapefile_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/graph/tapefile"
	"github.com/gradtui/gradtui/internal/testing/tapetest"
)

func TestMain(m *testing.M) {
	if path := os.Getenv(writerPath); path != "" {
		writeForever(path)
		return
	}
	os.Exit(m.Run())
}

// The test below starts this program again as a writer, with the path of a tape
// here, and kills it.
const writerPath = "TAPEFILE_TEST_WRITER"

func writeForever(path string) {
	tape := graph.NewTape(graph.Limits{})
	w, err := tapefile.Create(path, someInfo, tapefile.WriterOptions{BlockEvents: 50})
	if err != nil {
		panic(err)
	}
	th := tapetest.NewEngine(tape).NewThread(0, tapetest.NewRandom(8))
	for {
		for range 20 {
			th.Step()
		}
		if err := w.Flush(tape); err != nil {
			panic(err)
		}
		fmt.Println(w.Flushed())
	}
}

func TestAKilledWriterLosesNothingThatWasFlushed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "killed.tape")
	for _, enough := range []int{1, 300, 2000} {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), writerPath+"="+path)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		flushed := 0
		for in := bufio.NewScanner(out); flushed < enough && in.Scan(); {
			if flushed, err = strconv.Atoi(in.Text()); err != nil {
				t.Fatal(in.Text())
			}
		}
		cmd.Process.Kill()
		io.Copy(io.Discard, out)
		cmd.Wait()
		if flushed < enough {
			t.Fatalf("the writer ended after %d events", flushed)
		}

		tape, report, err := tapefile.Open(path, tapefile.Options{})
		if err != nil || report.Events < flushed || report.Closed || report.Damage != nil {
			t.Fatalf("%+v, %v; %d events were flushed", report, err, flushed)
		}
		for _, p := range graph.Validate(tape, 3) {
			t.Error(p)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}

// A disk takes a number of bytes and then fails, in the middle of a write.
type disk struct {
	bytes.Buffer
	room int
}

func (d *disk) Write(b []byte) (int, error) {
	n, err := len(b), error(nil)
	if n > d.room {
		n, err = d.room, syscall.ENOSPC
	}
	d.Buffer.Write(b[:n])
	d.room -= n
	return n, err
}

func TestAFullDiskLosesNothingThatWasFlushed(t *testing.T) {
	tape := tapetest.Recorded(9, 60)
	whole := written(t, tape, 20)
	for room := range len(whole) {
		d := &disk{room: room}
		w, err := tapefile.NewWriter(d, someInfo, tapefile.WriterOptions{BlockEvents: 20})
		if err != nil {
			if !errors.Is(err, syscall.ENOSPC) {
				t.Fatal(err)
			}
			continue
		}
		err = w.Flush(tape)
		flushed := w.Flushed()
		if (err != nil) != (flushed < tape.Len()) || err != nil && !errors.Is(err, syscall.ENOSPC) {
			t.Fatalf("room for %d bytes: %v, %d events flushed", room, err, flushed)
		}
		got, report, err := read(d.Bytes())
		if err != nil || got.Len() != flushed || report.Damage != nil {
			t.Fatalf("room for %d bytes: %+v, %v; %d events flushed", room, report, err, flushed)
		}
		// Closing fails as well, and leaves the file as it is.
		if room%2 == 0 {
			if err := w.Close(); !errors.Is(err, syscall.ENOSPC) {
				t.Fatal(err)
			}
			if got, _, err := read(d.Bytes()); err != nil || got.Len() < flushed {
				t.Fatal(got, err)
			}
			continue
		}
		// Room is made on the disk.
		d.room = 1 << 30
		if err := errors.Join(w.Flush(tape), w.Close()); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(d.Bytes(), whole) {
			t.Fatalf("room for %d bytes: the file differs", room)
		}
	}
}

func TestAReaderFollowsAWriter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "live.tape")
	tape := graph.NewTape(graph.Limits{})
	w, err := tapefile.Create(path, someInfo, tapefile.WriterOptions{BlockEvents: 16})
	if err != nil {
		t.Fatal(err)
	}
	r, err := tapefile.OpenReader(path, tapefile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	th := tapetest.NewEngine(tape).NewThread(0, tapetest.NewRandom(10))
	for range 30 {
		th.Step()
		th.Step()
		if err := w.Flush(tape); err != nil {
			t.Fatal(err)
		}
		before := r.Tape().Len()
		n, err := r.More()
		if err != nil || before+graph.Pos(n) != tape.Len() || r.Finished() {
			t.Fatalf("%d more events after %d, the tape has %d (%v)", n, before, tape.Len(), err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if n, err := r.More(); n != 0 || err != nil || !r.Finished() {
		t.Error(n, err)
	}
	sameTape(t, tape, r.Tape())
	if rep := r.Report(); !rep.Closed || rep.Rebuilt || rep.Ignored != 0 || rep.Events != int(tape.Len()) {
		t.Errorf("%+v", rep)
	}
}

// A reader that looks at any moment sees whole blocks.
func TestAReaderWaitsForTheRestOfABlock(t *testing.T) {
	tape := tapetest.Recorded(11, 80)
	data := written(t, tape, 20)
	path := filepath.Join(t.TempDir(), "slow.tape")
	_, whole, _ := read(data)
	start := int(whole.Blocks[0].Offset)
	if err := os.WriteFile(path, data[:start], 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := tapefile.OpenReader(path, tapefile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for i := start; i < len(data); i++ {
		if _, err := r.More(); err != nil || r.Finished() {
			t.Fatalf("%d bytes: %v", i, err)
		}
		if _, err := file.Write(data[i : i+1]); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := r.More(); err != nil || !r.Finished() {
		t.Fatal(err)
	}
	sameTape(t, tape, r.Tape())
}

func TestFollowWritesWholeBlocksAndTheRestAtTheEnd(t *testing.T) {
	tape := graph.NewTape(graph.Limits{})
	var b bytes.Buffer
	w, err := tapefile.NewWriter(&b, someInfo, tapefile.WriterOptions{BlockEvents: 10})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- w.Follow(ctx, tape) }()
	th := tapetest.NewEngine(tape).NewThread(0, tapetest.NewRandom(12))
	for tape.Len() < 5000 {
		th.Step()
		if tape.Len()%1000 == 0 {
			if err := w.Flush(tape); err != nil || w.Flushed() < tape.Len() {
				t.Fatal(err)
			}
		}
	}
	stop()
	if err := <-done; err != nil || w.Flushed() != tape.Len() {
		t.Fatal(w.Flushed(), err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	got, _, err := read(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	sameTape(t, tape, got)
}

func TestAClosedWriterRefusesEvents(t *testing.T) {
	tape := tapetest.Recorded(13, 20)
	var b bytes.Buffer
	w, _ := tapefile.NewWriter(&b, someInfo, tapefile.WriterOptions{})
	if err := w.Flush(tape); err != nil {
		t.Fatal(err)
	}
	if err := w.Flush(graph.NewTape(graph.Limits{})); err == nil {
		t.Error("a second tape")
	}
	if err := errors.Join(w.Close(), w.Close()); err != nil {
		t.Error(err)
	}
	if err := w.Flush(tape); !errors.Is(err, fs.ErrClosed) {
		t.Error(err)
	}
	if _, err := tapefile.NewWriter(&b, graph.Info{Args: []string{strings.Repeat("x", 2<<20)}}, tapefile.WriterOptions{}); err == nil {
		t.Error("an info of 2 MB")
	}
}

func TestCreateDoesNotDestroyWhatIsThere(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.tape")
	w, err := tapefile.Create(path, someInfo, tapefile.WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode() != 0o600 {
		t.Error(info.Mode(), err)
	}
	if _, err := tapefile.Create(path, someInfo, tapefile.WriterOptions{}); !errors.Is(err, fs.ErrExist) {
		t.Error(err)
	}
	if _, err := tapefile.Create(dir, someInfo, tapefile.WriterOptions{Overwrite: true}); err == nil {
		t.Error("a directory was replaced")
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	for _, overwrite := range []bool{false, true} {
		if _, err := tapefile.Create(link, someInfo, tapefile.WriterOptions{Overwrite: overwrite}); err == nil {
			t.Error("a link was followed")
		}
	}
	if _, err := tapefile.Create(filepath.Join(dir, "missing", "a.tape"), someInfo, tapefile.WriterOptions{}); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if got := names(t, dir); got != "a.tape link" {
		t.Error(got)
	}
}

func TestATapeReplacesAFileWhenItIsComplete(t *testing.T) {
	dir := t.TempDir()
	path, part := filepath.Join(dir, "a.tape"), filepath.Join(dir, "a.part.tape")
	if err := os.WriteFile(path, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	w, err := tapefile.Create(path, someInfo, tapefile.WriterOptions{Overwrite: true})
	if err != nil {
		t.Fatal(err)
	}
	tape := tapetest.Recorded(14, 30)
	if err := w.Flush(tape); err != nil {
		t.Fatal(err)
	}
	// What a process leaves that is killed now.
	if old, err := os.ReadFile(path); string(old) != "old" {
		t.Errorf("the old file holds %q, %v", old, err)
	}
	if w.Path() != part {
		t.Errorf("the tape is at %s", w.Path())
	}
	if got, _, err := tapefile.Open(part, tapefile.Options{}); err != nil {
		t.Error(err)
	} else {
		sameTape(t, tape, got)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	got, _, err := tapefile.Open(path, tapefile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	sameTape(t, tape, got)
	if info, err := os.Stat(path); err != nil || info.Mode() != 0o600 || w.Path() != path {
		t.Error(info.Mode(), err, w.Path())
	}
	if got := names(t, dir); got != "a.tape" {
		t.Error(got)
	}
}

func TestATapeThatHoldsNothingReplacesNothing(t *testing.T) {
	for name, end := range map[string]func(w *tapefile.Writer) error{
		"it is closed without events": (*tapefile.Writer).Close,
		"it is discarded": func(w *tapefile.Writer) error {
			return errors.Join(w.Flush(tapetest.Recorded(14, 30)), w.Discard(), w.Close())
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "a.tape")
			if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
				t.Fatal(err)
			}
			w, err := tapefile.Create(path, someInfo, tapefile.WriterOptions{Overwrite: true})
			if err != nil {
				t.Fatal(err)
			}
			if err := end(w); err != nil {
				t.Error(err)
			}
			if old, err := os.ReadFile(path); string(old) != "old" || names(t, dir) != "a.tape" || w.Path() != "" {
				t.Errorf("%q, %v, in %s", old, err, names(t, dir))
			}
		})
	}
}

func TestOnlyTapesAreReplaced(t *testing.T) {
	for _, c := range []struct {
		name, holds string
		refused     bool
	}{
		{"train.py", "import torch", true},
		{"data.bin", "\x89GTAPE", true},
		{"notes", "x", true},
		{"empty.txt", "", false},
		{"old", "\x89GTAPE\r\n and more", false},
		{"damaged.tape", "x", false},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, c.name)
		if err := os.WriteFile(path, []byte(c.holds), 0o600); err != nil {
			t.Fatal(err)
		}
		w, err := tapefile.Create(path, someInfo, tapefile.WriterOptions{Overwrite: true})
		if (err != nil) != c.refused {
			t.Errorf("%s: %v", c.name, err)
		}
		if err != nil {
			if holds, err := os.ReadFile(path); string(holds) != c.holds || names(t, dir) != c.name {
				t.Errorf("%s holds %q, %v; there are %s", c.name, holds, err, names(t, dir))
			}
			continue
		}
		if err := errors.Join(w.Flush(tapetest.Recorded(14, 30)), w.Close()); err != nil {
			t.Error(err)
		}
		if _, _, err := tapefile.Open(path, tapefile.Options{}); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func names(t *testing.T, dir string) string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return strings.Join(list, " ")
}

func TestAReaderNoticesThatItsFileIsGone(t *testing.T) {
	other := func(t *testing.T, path string) {
		if err := os.WriteFile(path+".new", written(t, tapetest.Recorded(2, 30), 0), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(path+".new", path); err != nil {
			t.Fatal(err)
		}
	}
	for name, change := range map[string]func(t *testing.T, path string){
		"removed":  func(t *testing.T, path string) { os.Remove(path) },
		"cut off":  func(t *testing.T, path string) { os.Truncate(path, 10) },
		"replaced": other,
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.tape")
			tape := tapetest.Recorded(1, 40)
			w, err := tapefile.Create(path, someInfo, tapefile.WriterOptions{BlockEvents: 10})
			if err != nil {
				t.Fatal(err)
			}
			defer w.Close()
			if err := w.Flush(tape); err != nil {
				t.Fatal(err)
			}
			r, err := tapefile.OpenReader(path, tapefile.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			if _, err := r.More(); err != nil || r.Lost() != nil {
				t.Fatal(err, r.Lost())
			}
			change(t, path)
			if n, err := r.More(); n != 0 || err != nil {
				t.Fatal(n, err)
			}
			if err := r.Lost(); !errors.Is(err, tapefile.ErrLost) {
				t.Errorf("%v", err)
			}
			if r.Tape().Len() != tape.Len() {
				t.Errorf("%d events are left of %d", r.Tape().Len(), tape.Len())
			}
		})
	}
}

func TestTheTextFormOfManyArgumentsTakesMemoryInProportion(t *testing.T) {
	tape := graph.NewTape(graph.Limits{})
	tape.SetInfo(graph.Info{Program: "a.py", Args: make([]string, 100_000)})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := tapefile.WriteText(io.Discard, tape); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if size := after.TotalAlloc - before.TotalAlloc; size > 64<<20 {
		t.Errorf("%d bytes were allocated", size)
	}
}
