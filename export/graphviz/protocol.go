package graphviz

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/gradtui/gradtui/export/graphviz/internal/engine"
)

// The child greets, the parent sends one job, the child sends one answer:
//
//	child:   gradtui-graphviz 1 ready
//	parent:  {"format":"svg","size":1234}
//	         … 1234 bytes of DOT …
//	child:   ok 56789                          or  error 123
//	         … 56789 bytes of output …             … 123 bytes of JSON …
//	         end
//
// The parent keeps its end of the child's standard input open until it has the
// answer: the child ends when that closes, and so does not outlive the parent.
const (
	greeting = "gradtui-graphviz 1 ready\n"
	trailer  = "\nend\n"

	statusOK    = "ok"
	statusError = "error"
)

// job is what the parent asks for.
type job struct {
	Format      engine.Format `json:"format"`
	Size        int           `json:"size"` // of the DOT text that follows, in bytes
	EmptyLabels bool          `json:"empty_labels,omitempty"`
	MaxMemory   int64         `json:"max_memory"` // bytes

	MaxProcessorTime time.Duration `json:"max_processor_time"`
}

// failure is an answer with status "error".
type failure struct {
	// Line is where the text stops being DOT, 0 if that is not the problem.
	Line int `json:"line,omitempty"`
	// Overtime is set when the layout has used up its processor time.
	Overtime bool   `json:"overtime,omitempty"`
	Message  string `json:"message"`
}

// errGarbage means that what arrived is not the protocol.
var errGarbage = errors.New("unexpected output")

func writeJob(w io.Writer, j job, dot []byte) error {
	j.Size = len(dot)
	head, err := json.Marshal(j)
	if err != nil {
		return err
	}
	if _, err := w.Write(append(head, '\n')); err != nil {
		return err
	}
	_, err = w.Write(dot)
	return err
}

func readJob(r *bufio.Reader) (job, []byte, error) {
	var j job
	head, err := r.ReadBytes('\n')
	if err != nil {
		return j, nil, err
	}
	if err := json.Unmarshal(head, &j); err != nil {
		return j, nil, err
	}
	if j.Size < 0 {
		return j, nil, errGarbage
	}
	dot := make([]byte, j.Size)
	_, err = io.ReadFull(r, dot)
	return j, dot, err
}

func writeAnswer(w io.Writer, status string, payload []byte) error {
	if _, err := fmt.Fprintf(w, "%s %d\n", status, len(payload)); err != nil {
		return err
	}
	if _, err := w.Write(payload); err != nil {
		return err
	}
	_, err := io.WriteString(w, trailer)
	return err
}

// readGreeting passes the greeting. What arrives instead is in an error that
// is errGarbage.
func readGreeting(r *bufio.Reader) error {
	got := make([]byte, len(greeting))
	n, err := io.ReadFull(r, got)
	if !strings.HasPrefix(greeting, string(got[:n])) {
		return fmt.Errorf("%w: %q", errGarbage, got[:n])
	}
	return err
}

// readAnswer reads an answer of at most max bytes; a larger one is a
// *LimitError.
func readAnswer(r *bufio.Reader, max int64) (status string, payload []byte, err error) {
	head, err := r.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		return "", nil, fmt.Errorf("%w: %.40q", errGarbage, head)
	}
	if err != nil {
		return "", nil, err
	}
	status, count, _ := strings.Cut(strings.TrimSuffix(string(head), "\n"), " ")
	var size int64
	if _, err := fmt.Sscanf(count, "%d", &size); err != nil || size < 0 || status != statusOK && status != statusError {
		return "", nil, fmt.Errorf("%w: %.40q", errGarbage, head)
	}
	if size > max {
		return "", nil, &LimitError{What: "output", Limit: byteCount(max)}
	}
	payload = make([]byte, size)
	if _, err := io.ReadFull(r, payload); err != nil {
		return "", nil, err
	}
	end := make([]byte, len(trailer))
	if _, err := io.ReadFull(r, end); err != nil {
		return "", nil, err
	}
	if string(end) != trailer {
		return "", nil, fmt.Errorf("%w: %q", errGarbage, end)
	}
	return status, payload, nil
}
