package pytorch

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/capture/python/engine"
	"github.com/gradtui/gradtui/capture/python/internal/marshal"
	"github.com/gradtui/gradtui/capture/python/protocol"
	"github.com/gradtui/gradtui/graph"
)

// assembly is a gathering, and what has joined it.
type assembly struct {
	*testing.T
	*gathering
	served chan error

	mu    sync.Mutex
	tapes map[int]*graph.Tape
	ended map[int]error
}

// assemble starts a gathering that takes all ranks but one.
func assemble(t *testing.T, unwanted int) *assembly {
	t.Helper()
	a := &assembly{T: t, served: make(chan error, 1), tapes: map[int]*graph.Tape{}, ended: map[int]error{}}
	var err error
	a.gathering, err = newGathering(func(info graph.Info) (engine.Rank, error) {
		a.mu.Lock()
		defer a.mu.Unlock()
		if info.Rank == unwanted {
			return engine.Rank{}, fmt.Errorf("rank %d is not wanted", info.Rank)
		}
		tape := graph.NewTape(graph.Limits{})
		tape.SetInfo(info)
		a.tapes[info.Rank] = tape
		return engine.Rank{Tape: tape, Ended: func(damaged error) {
			a.mu.Lock()
			defer a.mu.Unlock()
			a.ended[info.Rank] = damaged
		}}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		_, err := a.Serve()
		a.served <- err
	}()
	return a
}

// rank is a process that connects.
func (a *assembly) rank(number, size int) *client {
	a.Helper()
	conn, err := net.Dial("unix", filepath.Join(a.folder.Path, "socket"))
	if err != nil {
		a.Fatal(err)
	}
	c := &client{T: a.T, conn: conn, dir: a.folder.Path}
	c.send(marshal.Tuple{"hello", protocol.RecordsVersion, 4711, "2.6.0+cpu", number, size, marshal.Tuple{"prog.py", "-x"}})
	return c
}

func TestEachRankIsTakenByItself(t *testing.T) {
	a := assemble(t, 2)
	if environment := strings.Join(a.Environment(), "\n"); !strings.Contains(environment, RanksVariable+"=launcher") {
		t.Errorf("environment %s", environment)
	}
	attention := map[string]bool{}
	ranks := []*client{a.rank(0, 3), a.rank(1, 3)}
	for _, c := range ranks {
		welcome, _ := c.answer().(marshal.Tuple)
		if len(welcome) != 2 || welcome[0] != "welcome" {
			t.Fatalf("%v", welcome)
		}
		file := ""
		for _, setting := range welcome[1].([][2]any) {
			if setting[0] == "attention" {
				file, _ = setting[1].(string)
			}
		}
		if _, err := os.Stat(filepath.Join(a.folder.Path, file)); err != nil || attention[file] {
			t.Errorf("the file %q: %v", file, err)
		}
		attention[file] = true
	}
	if v := a.rank(2, 3).answer(); v != nil {
		t.Errorf("a rank that is not wanted hears %v", v)
	}
	for i, c := range ranks {
		for range i + 1 {
			c.send(gradMode(false))
		}
		c.send(marshal.Tuple{"sync", 1})
		c.answer()
	}
	ranks[0].send(marshal.Tuple{"bye"})
	ranks[1].conn.Close() // it is killed
	silent, err := net.Dial("unix", filepath.Join(a.folder.Path, "socket"))
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	ranks[0].answer() // it is over
	a.Stop()
	if err := <-a.served; err == nil || err.Error() != "rank 2 is not wanted" {
		t.Error(err)
	}
	a.Close()
	for i := range 2 {
		want := graph.Info{Engine: "torch 2.6.0", Program: "prog.py", Args: []string{"-x"}, Rank: i, WorldSize: 3}
		if diff := cmp.Diff(want, a.tapes[i].Info()); diff != "" {
			t.Error(diff)
		}
		if n := a.tapes[i].Len(); n != graph.Pos(i+1) {
			t.Errorf("rank %d has %d events", i, n)
		}
		if damaged, ok := a.ended[i]; !ok || damaged != nil {
			t.Errorf("rank %d ended: %v, %v", i, ok, damaged)
		}
	}
	if _, err := os.Stat(a.folder.Path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder is still there: %v", err)
	}
}

func TestARankHasASensibleNumber(t *testing.T) {
	for _, c := range []struct{ rank, size, want int }{{0, 1, 1}, {3, 2, 0}, {-1, 0, 0}, {-1, 4, 0}, {0, 1 << 30, 0}} {
		frame := marshal.Append(nil, []any{marshal.Tuple{"hello", protocol.RecordsVersion, 4711, "2.6.0", c.rank, c.size, marshal.Tuple{}}})
		g, err := readGreeting(frame)
		if err != nil || g.info().WorldSize != c.want {
			t.Errorf("rank %d of %d: %+v, %v", c.rank, c.size, g.info(), err)
		}
	}
}
