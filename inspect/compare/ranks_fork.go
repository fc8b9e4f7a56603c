package compare

import (
	"fmt"
	"strings"

	"github.com/gradtui/gradtui/graph"
)

// findFork finds the first of some operations that ranks did not do alike.
func findFork(tapes []*graph.Tape, counts func(*graph.OpRan) bool) *RankFork {
	var walkers []*opWalker
	for _, tape := range tapes {
		walkers = append(walkers, newOpWalker(tape, counts))
	}
	for n := 0; ; n++ {
		var ways []RankWay
		index := map[string]int{}
		ended := 0
		for i, w := range walkers {
			op := w.next()
			if op.key == "" {
				ended++
			}
			k, ok := index[op.key]
			if !ok {
				k = len(ways)
				index[op.key] = k
				ways = append(ways, op.RankWay)
			}
			ways[k].Ranks = append(ways[k].Ranks, tapes[i].Info().Rank)
			ways[k].At = append(ways[k].At, op.pos)
		}
		if len(ways) > 1 {
			return &RankFork{Number: n, Ways: ways}
		}
		if ended > 0 || len(tapes) == 0 {
			return nil
		}
	}
}

// An opWalker goes from operation to operation of the thread in which the program began.
// Other threads have no order that would be the same on all ranks.
type opWalker struct {
	tape    *graph.Tape
	dec     *graph.Decoder
	counts  func(*graph.OpRan) bool
	pos     graph.Pos
	modules []string
	places  map[graph.StackID]string
}

// A walkedOp is an operation and the text by which the ranks are compared.
type walkedOp struct {
	RankWay
	key string // "": there is none
	pos graph.Pos
}

func newOpWalker(tape *graph.Tape, counts func(*graph.OpRan) bool) *opWalker {
	return &opWalker{tape: tape, dec: tape.NewDecoder(), counts: counts, places: map[graph.StackID]string{}}
}

func (w *opWalker) next() walkedOp {
	for w.pos < w.tape.Len() {
		p := w.pos
		w.pos++
		head, e, err := w.dec.ReadUntimed(p)
		if err != nil || head.Thread != 0 {
			continue
		}
		switch e := e.(type) {
		case *graph.ModuleEntered:
			w.modules = append(w.modules, w.tape.String(e.Path))
		case *graph.ModuleLeft:
			w.modules = w.modules[:max(len(w.modules)-1, 0)]
		case *graph.OpRan:
			if !w.counts(e) {
				continue
			}
			way := RankWay{Op: w.tape.String(e.Op), Stack: w.tape.Stack(head.Stack)}
			if n := len(w.modules); n > 0 {
				way.Module = w.modules[n-1]
			}
			return walkedOp{way, way.Op + "\n" + way.Module + "\n" + w.place(head.Stack), p}
		}
	}
	return walkedOp{pos: w.pos}
}

// place returns a call stack, as it is in another process.
func (w *opWalker) place(id graph.StackID) string {
	text, ok := w.places[id]
	if !ok {
		var b strings.Builder
		for _, f := range w.tape.Stack(id) {
			fmt.Fprintf(&b, "%s:%d %s\n", f.File, f.Line, f.Func)
		}
		text = b.String()
		w.places[id] = text
	}
	return text
}
