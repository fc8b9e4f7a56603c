package control

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/gradtui/gradtui/graph"
)

// A Question says what an [Ask] wants.
type Question string

// The kinds of questions.
const (
	AskLocals   Question = "locals"   // the variables of a frame
	AskValue    Question = "value"    // what an expression gives; the program stays as it is
	AskRun      Question = "run"      // run statements as a part of the program
	AskElements Question = "elements" // put on the tape what a tensor holds, as [graph.ValueRead]
)

// An Ask is a question to a program that stands at a stop. The program's own thread
// answers it.
type Ask struct {
	ID   int      `json:"id"`
	Kind Question `json:"kind"`
	Text string   `json:"text,omitempty"` // the expression, or the statements
	// Frame is where the question is asked; nil: in the innermost frame of the program that is
	// not in a library and has the names in the text.
	Frame *Frame `json:"frame,omitempty"`
	// Seconds is how long the answer may take; 0: until the program is interrupted.
	Seconds float64 `json:"seconds,omitempty"`
	// Of AskElements: a tensor of the tape that must still have this version, and which part is
	// wanted, as in [graph.ValueRead]; no part: the leading elements, [graph.MostElements] at most.
	Tensor  graph.TensorID `json:"tensor,omitempty"`
	Version uint32         `json:"version,omitempty"`
	Part    []int          `json:"part,omitempty"`
}

// A Frame is a function in the call stack of the program. Index counts the frames that a tape
// has, from the innermost one, which is 0.
type Frame struct {
	Index    int    `json:"index"`
	File     string `json:"file"`
	Function string `json:"function"`
	Line     int    `json:"line,omitempty"`
}

// An Answer says what came of an [Ask]. All texts come from the program.
type Answer struct {
	ID      int    `json:"id"`
	Error   string `json:"error,omitempty"`   // why there is no answer
	Refused string `json:"refused,omitempty"` // the operation that would have changed the program
	Raised  string `json:"raised,omitempty"`  // the exception: type and message
	Output  string `json:"output,omitempty"`  // what was printed
	Changed int    `json:"changed,omitempty"` // how many tensors were changed although nothing was to be
	// Frame is where the question was asked.
	Frame *Frame `json:"frame,omitempty"`
	// Values are the variables, or the one value of an expression.
	Values []Value `json:"values,omitempty"`
	More   int     `json:"more,omitempty"` // variables that are left out
}

// A Value is a variable, or what an expression gives.
type Value struct {
	Name string `json:"name,omitempty"`
	Text string `json:"text"`
	// Tensor is the tensor on the tape; 0: it is not a tensor, or not on the tape.
	Tensor graph.TensorID `json:"tensor,omitempty"`
}

// MostText bounds the text of an answer, in bytes.
const MostText = 64 << 10

// mostQuestion bounds the text of a question.
const mostQuestion = 16 << 10

// Check reports what is wrong with a question.
func (a Ask) Check() error {
	switch {
	case a.Kind != AskLocals && a.Kind != AskValue && a.Kind != AskRun && a.Kind != AskElements:
		return fmt.Errorf("there is no question %q", a.Kind)
	case len(a.Text) > mostQuestion:
		return fmt.Errorf("an expression may have %d bytes", mostQuestion)
	case a.Seconds < 0:
		return errors.New("a question cannot take less than no time")
	case len(a.Part)%3 != 0 || len(a.Part) > mostPart:
		return errors.New("a part has start, step and number of indices of each dimension")
	}
	elements := 1
	for i := 0; i < len(a.Part); i += 3 {
		start, step, n := a.Part[i], a.Part[i+1], a.Part[i+2]
		if start < 0 || step < 1 || n < 0 || n > graph.MostElements {
			return errors.New("a part has start, step and number of indices of each dimension")
		}
		if elements *= n; elements > graph.MostElements {
			return fmt.Errorf("a part may have %d elements", graph.MostElements)
		}
	}
	return nil
}

// mostPart bounds the numbers of a part.
const mostPart = 3 * 64

// What programs answer to [AskElements] if it is not possible.
const (
	RunAhead  = "the program has run ahead of this event; step once and ask again"
	Dropped   = "the program no longer has this tensor"
	Changed   = "the tensor has changed since"
	OtherPart = "the tensor does not have this part"
)

// ErrBusy is the error of a question while another one is being answered.
var ErrBusy = errors.New("the program is still answering; i interrupts it")

// OnAsk makes the gate hand questions to answer, in the goroutine of the program, which waits
// at a stop. cancel, called in any goroutine, ends an answer that takes long. Without it the
// gate says that the program cannot answer.
func (g *Gate) OnAsk(answer func(Ask) Answer, cancel func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.answer, g.cancel = answer, cancel
}

// OnAnswer makes the gate give answers to f, in the goroutine of the program or of the
// question.
func (g *Gate) OnAnswer(f func(Answer)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.onAnswer = f
}

// ask takes a question, or says why it cannot. The gate is locked.
func (g *Gate) ask(a Ask) {
	no := ""
	switch {
	case !g.stopped:
		no = "the program does not stand at a stop"
	case g.answer == nil:
		no = "not available: only Python programs can evaluate expressions"
	case g.asked != nil:
		no = ErrBusy.Error()
	}
	if no == "" {
		g.asked = &a
		g.change.Broadcast()
		return
	}
	if g.onAnswer != nil {
		go g.onAnswer(Answer{ID: a.ID, Error: no})
	}
}

// respond answers the question that there is. The gate is locked, except while the program
// works on the answer; its events do not stop it then.
func (g *Gate) respond() {
	a, answer, took := *g.asked, g.answer, g.onAnswer
	g.asking = true
	g.mu.Unlock()
	result := answer(a)
	g.mu.Lock()
	g.asked, g.asking = nil, false
	if result.ID = a.ID; took != nil {
		g.mu.Unlock()
		took(result)
		g.mu.Lock()
	}
}

// ReadAnswer reads the answer of an agent: JSON in which tensors have the agent's numbers.
// tensor returns the tensor on the tape with such a number, or 0.
func ReadAnswer(text string, tensor func(number int) graph.TensorID) (a Answer) {
	var given struct {
		Answer
		Values []struct {
			Name, Text string
			Tensor     int
		} `json:"values"`
	}
	if len(text) > MostText || json.Unmarshal([]byte(text), &given) != nil {
		return Answer{Error: "the program's answer cannot be read"}
	}
	a = given.Answer
	for _, v := range given.Values {
		value := Value{Name: v.Name, Text: v.Text}
		if v.Tensor != 0 {
			value.Tensor = tensor(v.Tensor)
		}
		a.Values = append(a.Values, value)
	}
	return a
}
