package pytorch

import (
	"encoding/json"

	"github.com/gradtui/gradtui/capture/python/internal/marshal"
	"github.com/gradtui/gradtui/capture/python/protocol"
	"github.com/gradtui/gradtui/control"
	"github.com/gradtui/gradtui/graph"
)

// ask asks the program, which waits for the gate or will when it comes to the end of what it has
// sent. Frames of records may come before the answer: with what the program did before, and, if it
// has run statements, with what they did.
func (r *recorder) ask(t *Translator, a control.Ask) control.Answer {
	if a.Kind == control.AskElements {
		numbers := t.Numbers([]graph.TensorID{a.Tensor})
		switch {
		case t.paused || t.frame == nil:
			return control.Answer{Error: control.RunAhead}
		case len(numbers) == 0:
			return control.Answer{Error: control.Dropped}
		}
		a.Tensor = graph.TensorID(numbers[0])
	}
	question, err := json.Marshal(a)
	if err != nil {
		return control.Answer{Error: err.Error()}
	}
	r.attention.WriteAt([]byte{0}, protocol.AttentionCancel)
	if err := r.answer(marshal.Tuple{"ask", string(question)}); err != nil {
		return control.Answer{Error: "the program is gone"}
	}
	text := ""
	for answered := false; !answered; {
		r.in.data = nil // the frame that the program has stopped at is still being read
		frame, err := r.in.fetch(maxFrame)
		if err != nil {
			r.in.broken = err
			return control.Answer{Error: "the program is gone"}
		}
		if text, answered = answerIn(frame); !answered {
			r.in.waiting = append(r.in.waiting, frame)
		}
	}
	r.in.data = nil
	if done, err := t.Amid(r.in.waiting); done {
		r.in.waiting, r.in.broken = nil, err
	}
	return control.ReadAnswer(text, func(number int) graph.TensorID {
		if x := t.tensors.known[number]; x != nil {
			return x.id
		}
		return 0
	})
}

// answerIn returns the answer that a frame is.
func answerIn(frame []byte) (text string, ok bool) {
	var d marshal.Decoder
	d.Reset(frame, marshal.Plain{})
	if n, err := d.Sequence(); err != nil || n != 1 {
		return "", false
	}
	d.Limit(maxValues)
	v, err := d.Value()
	record, _ := v.(marshal.Tuple)
	kind, _ := marshal.At[string](record, 0)
	text, isText := marshal.At[string](record, 1)
	return text, err == nil && kind == "answered" && isText
}
