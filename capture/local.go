package capture

import (
	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/capture/gosource"
	"github.com/gradtui/gradtui/capture/sources"
	"github.com/gradtui/gradtui/control"
	"github.com/gradtui/gradtui/graph"
)

// Local records a function of this process: what it does with package autograd
// is on the tape when Local returns, with the names from its source, which read
// returns. session, if it is not nil, controls the function.
func Local(tape *graph.Tape, session *control.Session, read func(path string) ([]byte, error), program func() error) error {
	raw := graph.NewTape(graph.Limits{})
	in := newIntake(tape)
	if read != nil {
		in.names.Read, in.sources.Read = read, read
	}
	ex := raw.NewExporter()
	var block []byte
	pump := func() error {
		for ex.Next() < raw.Len() {
			var err error
			if block, _, err = ex.AppendBlock(block[:0], 4096); err != nil {
				return err
			}
			if _, err := in.Append(block); err != nil {
				return err
			}
		}
		raw.Drop(ex.Next())
		return nil
	}
	autograd.StartedBy("github.com/gradtui/gradtui/capture.")
	r, stop := autograd.Record(raw)
	defer stop()
	var lost error
	send := func() {
		if lost == nil {
			lost = pump()
		}
	}
	r.OnIdle(send)
	if session != nil {
		defer session.End()
		gate := control.NewGate(func(stop control.Stop) {
			send()
			stop.Events = in.behind(stop.Events)
			session.Stopped(stop)
		})
		gate.OnAnswer(session.Answered)
		if err := gate.Do(session.First); err != nil {
			return err
		}
		session.Attach(gate.Do)
		r.SetGate(gate)
		in.names.Named = func(t graph.TensorID, name string) { gate.Name(t, raw.InternString(name)) }
	}
	err := program()
	send()
	in.names.Close()
	if err != nil {
		return err
	}
	return lost
}

// An intake puts what a program has recorded on a tape, with the names from its
// source.
type intake struct {
	*graph.Importer
	names   *gosource.Binder
	sources *sources.Recorder
	// seen is how many events the program has recorded, newest where the last of
	// them are on the tape.
	seen   int
	newest [64]graph.Pos
}

func newIntake(tape *graph.Tape) *intake {
	in := &intake{Importer: tape.NewImporter(), names: gosource.NewBinder(tape), sources: sources.NewRecorder(tape)}
	in.OnEvent = func(p graph.Pos, h graph.Header, e graph.Event) {
		in.newest[in.seen%len(in.newest)] = p
		in.seen++
		in.names.Event(p, h, e)
		in.sources.Stack(h.Stack)
	}
	return in
}

// behind is how many events the tape has up to the one with which the program had so
// many: names and output may lie between. It is for one of the newest, at which a
// program has stopped.
func (in *intake) behind(events int) int {
	if events <= 0 || events > in.seen || events <= in.seen-len(in.newest) {
		events = in.seen
	}
	if events == 0 {
		return 0
	}
	return int(in.newest[(events-1)%len(in.newest)]) + 1
}
