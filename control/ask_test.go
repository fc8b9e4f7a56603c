package control_test

import (
	"strings"
	"testing"

	"github.com/gradtui/gradtui/control"
	"github.com/gradtui/gradtui/graph"
)

// A question is answered by the program's own thread, which goes on waiting.
func TestAQuestionIsAnsweredAtAStop(t *testing.T) {
	s := control.NewSession(control.Command{Interrupt: true})
	g, err := s.Gate()
	if err != nil {
		t.Fatal(err)
	}
	cancelled := make(chan bool, 1)
	g.OnAsk(func(a control.Ask) control.Answer {
		if a.Text == "spin" {
			<-cancelled
			return control.Answer{Raised: "interrupted"}
		}
		return control.Answer{Values: []control.Value{{Text: a.Text + "!"}}}
	}, func() {
		select {
		case cancelled <- true:
		default: // it knows
		}
	})
	if _, err := s.Ask(control.Ask{Kind: control.AskValue}); err == nil || !strings.Contains(err.Error(), "does not stand at a stop") {
		t.Errorf("before the stop: %v", err)
	}
	tape, over := graph.NewTape(graph.Limits{}), make(chan bool)
	go func() {
		b := tape.Lock()
		e := &graph.OutputWritten{Stream: 1, Text: "x"}
		b.Append(graph.Header{}, e)
		stops := g.Saw(b, graph.Header{}, e)
		tape.Unlock()
		if stops {
			g.Wait()
		}
		over <- stops
	}()
	<-s.Stops()
	if a, err := s.Ask(control.Ask{Kind: control.AskValue, Text: "x"}); err != nil || len(a.Values) != 1 || a.Values[0].Text != "x!" {
		t.Errorf("%+v, %v", a, err)
	}
	if _, err := s.Ask(control.Ask{Kind: "nothing"}); err == nil {
		t.Error("a question of an unknown kind is asked")
	}
	asked := make(chan control.Answer)
	go func() {
		a, _ := s.Ask(control.Ask{Kind: control.AskValue, Text: "spin"})
		asked <- a
	}()
	for done := false; !done; { // the question may come after the first interrupts
		s.Interrupt()
		select {
		case a := <-asked:
			if done = true; a.Raised != "interrupted" {
				t.Errorf("interrupted: %+v", a)
			}
		default:
		}
	}
	s.Resume(control.Continue)
	if !<-over {
		t.Error("the program did not stop")
	}
	s.End()
	if _, err := s.Ask(control.Ask{Kind: control.AskValue}); err == nil {
		t.Error("a program that is over answers")
	}
}

func TestAnAnswerIsNotTrusted(t *testing.T) {
	for _, text := range []string{"", "[]", "{", `{"values": 1}`, `{"error": "` + strings.Repeat("x", control.MostText) + `"}`} {
		if a := control.ReadAnswer(text, nil); a.Error == "" {
			t.Errorf("%.20q is read as %+v", text, a)
		}
	}
	a := control.ReadAnswer(`{"values": [{"text": "a", "tensor": 7}, {"text": "b"}]}`, func(n int) graph.TensorID { return graph.TensorID(2 * n) })
	if len(a.Values) != 2 || a.Values[0].Tensor != 14 || a.Values[1].Tensor != 0 {
		t.Errorf("%+v", a)
	}
}
