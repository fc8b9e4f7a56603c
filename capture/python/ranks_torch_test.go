package python_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/capture/python/engine"
	"github.com/gradtui/gradtui/capture/python/pytorch"
	"github.com/gradtui/gradtui/graph"
)

// gathered runs a program of testdata/ranks in two ranks, and returns their tapes and the
// exit code of what has started them.
func (r *release) gathered(t *testing.T, program string, args ...string) (tapes [2]*graph.Tape, code int) {
	t.Helper()
	var mu sync.Mutex
	g, err := pytorch.New(engine.Setup{Join: func(info graph.Info) (engine.Rank, error) {
		tape := graph.NewTape(graph.Limits{})
		mu.Lock()
		defer mu.Unlock()
		if info.WorldSize != 2 || tapes[info.Rank] != nil {
			t.Errorf("%+v joined", info)
		}
		tapes[info.Rank] = tape
		return engine.Rank{Tape: tape, Ended: func(damaged error) {
			if damaged != nil {
				t.Errorf("rank %d: %v", info.Rank, damaged)
			}
		}}, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	served := make(chan error, 1)
	go func() {
		_, err := g.Serve()
		served <- err
	}()
	real, err := filepath.Abs("../../python/boot")
	if err != nil {
		t.Fatal(err)
	}
	command, err := exec.LookPath(r.command[0])
	if err == nil {
		command, err = filepath.Abs(command)
	}
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join("testdata", "ranks")
	cmd := exec.CommandContext(t.Context(), command, slices.Concat(r.command[1:], []string{filepath.Join(folder, "launch.py"), filepath.Join(folder, program)}, args)...)
	cmd.Env = slices.Concat(os.Environ(), g.Environment(), []string{
		"PYTHONPATH=" + real, "PYTHON_EXEC=" + command, "PYTHONDONTWRITEBYTECODE=1", "USE_LIBUV=0", "OMP_NUM_THREADS=1",
		"RANK=0", // the machine's, as some clusters set it
	})
	out, err := cmd.CombinedOutput()
	g.Stop()
	if failed := <-served; failed != nil {
		t.Error(failed)
	}
	if err != nil {
		t.Logf("%v\n%s", err, out)
	}
	if tapes[0] == nil || tapes[1] == nil {
		t.Fatalf("not both ranks have joined: %v\n%s", err, out)
	}
	return tapes, cmd.ProcessState.ExitCode()
}

// withGradient are the parameters that have a gradient at the end of a tape, by the names of
// the global variables that hold them.
func withGradient(tape *graph.Tape) (names []string) {
	g := tape.CursorAt(tape.Len()).Graph()
	for b := range g.Bindings() {
		if x, _ := g.Tensor(b.Tensor); x.Grad != 0 && (strings.HasPrefix(b.Name, "by_hand.") || strings.HasPrefix(b.Name, "reduced.")) {
			names = append(names, b.Name)
		}
	}
	return names
}

func TestEachRankHasATapeOfWhatItDid(t *testing.T) {
	eachRelease(t, func(t *testing.T, r *release) {
		dir := t.TempDir()
		tapes, code := r.gathered(t, "train.py", dir)
		if code != 0 {
			t.Errorf("exit code %d", code)
		}
		for rank, tape := range tapes {
			info := tape.Info()
			if info.Rank != rank || info.WorldSize != 2 || !strings.HasPrefix(info.Engine, "torch ") {
				t.Errorf("the tape of rank %d says %+v", rank, info)
			}
			var want []string
			readJSON(t, filepath.Join(dir, strconv.Itoa(rank)+".json"), &want)
			got := withGradient(tape)
			slices.Sort(got)
			slices.Sort(want)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("rank %d has other gradients (-PyTorch +tape):\n%s", rank, diff)
			}
		}
	})
}

func TestTheTapesOfRanksStayWhenOneIsKilled(t *testing.T) {
	older := releases()[1]
	older.need(t)
	tapes, code := older.gathered(t, "end.py", "kill")
	if code != 1 {
		t.Errorf("exit code %d, not the launcher's", code)
	}
	for rank, passes := range []int{2, 1} {
		if n := tapes[rank].CursorAt(tapes[rank].Len()).Graph().BackwardCount(); n != passes {
			t.Errorf("rank %d has %d backward passes on its tape, want %d", rank, n, passes)
		}
	}
}
