package pytorch

import (
	"context"
	"errors"
	"net"
	"strconv"
	"sync"

	"github.com/gradtui/gradtui/capture/python/engine"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/scratch"
)

// RanksVariable is the environment variable that tells a program that starts the ranks of
// a distributed one to leave recording to them.
const RanksVariable = "GRADTUI_RANKS"

// A gathering takes the ranks of a distributed program. Each is a process that connects at
// the socket of one recorder, and from then on has a recorder of its own.
type gathering struct {
	*recorder
	join func(graph.Info) (engine.Rank, error)
	over context.Context
	stop context.CancelFunc

	mu     sync.Mutex
	joined int
}

func newGathering(join func(graph.Info) (engine.Rank, error)) (*gathering, error) {
	r, err := listen(scratch.Make)
	if err != nil {
		return nil, err
	}
	g := &gathering{recorder: r, join: join}
	g.over, g.stop = context.WithCancel(context.Background())
	return g, nil
}

// Environment is what the environment of the program that starts the ranks needs.
func (g *gathering) Environment() []string {
	return append(g.recorder.Environment(), RanksVariable+"=launcher")
}

// Serve takes the ranks until Stop is called. It returns the error of a rank that could not be
// recorded.
func (g *gathering) Serve() (connected bool, err error) {
	var ranks sync.WaitGroup
	var failed []error
	for n := 1; ; n++ {
		conn, err := g.listen.AcceptUnix()
		if err != nil {
			break
		}
		ranks.Go(func() {
			if err := g.serve(n, conn); err != nil {
				g.mu.Lock()
				failed = append(failed, err)
				g.mu.Unlock()
			}
		})
	}
	ranks.Wait()
	return g.joined > 0, errors.Join(failed...)
}

// serve takes the n-th process that has connected, until it ends.
func (g *gathering) serve(n int, conn *net.UnixConn) error {
	r := &recorder{variables: map[string]engine.Variable{}}
	r.connect(conn)
	defer conn.Close()
	if err := r.beHeard(g.folder.Path, "attention-"+strconv.Itoa(n)); err != nil {
		return err
	}
	defer r.attention.Close()
	awaited := context.AfterFunc(g.over, r.Stop)
	hello, err := r.greeted()
	if awaited(); err != nil {
		return unlessGone(err)
	}
	guest := r.guest(hello)
	rank, err := g.join(guest.Info())
	if err != nil {
		return err
	}
	g.mu.Lock()
	g.joined++
	g.mu.Unlock()
	rank.Ended(guest.Record(g.over, rank.Tape, rank.Session))
	return nil
}

// Stop makes Serve return when it has taken what the ranks have sent.
func (g *gathering) Stop() {
	g.listen.Close()
	g.stop()
}
