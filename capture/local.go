package capture

import (
	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/capture/gosource"
	"github.com/gradtui/gradtui/graph"
)

// Local records a function of this process: what it does with package autograd
// is on the tape when Local returns, with the names from its source, which read
// returns.
func Local(tape *graph.Tape, read func(path string) ([]byte, error), program func() error) error {
	raw := graph.NewTape(graph.Limits{})
	names := gosource.NewBinder(tape)
	if read != nil {
		names.Read = read
	}
	im := tape.NewImporter()
	im.OnEvent = names.Event
	ex := raw.NewExporter()
	var block []byte
	pump := func() error {
		for ex.Next() < raw.Len() {
			var err error
			if block, _, err = ex.AppendBlock(block[:0], 4096); err != nil {
				return err
			}
			if _, err := im.Append(block); err != nil {
				return err
			}
		}
		raw.Drop(ex.Next())
		return nil
	}
	r, stop := autograd.Record(raw)
	defer stop()
	var lost error
	r.OnIdle(func() {
		if lost == nil {
			lost = pump()
		}
	})
	err := program()
	if lost == nil {
		lost = pump()
	}
	names.Close()
	if err != nil {
		return err
	}
	return lost
}
