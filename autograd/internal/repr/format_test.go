package repr

import (
	"errors"
	"math"
	"strconv"
	"testing"
)

// pythonCase is a line of tools/record/formatting.py, which documents the keys.
type pythonCase struct {
	Float     string `json:"f"`
	Int       string `json:"i"`
	Bool      bool   `json:"b"`
	Spec      string `json:"s"`
	Text      string `json:"r"`
	Exception string `json:"e"`
	Message   string `json:"x"`
}

func (c pythonCase) format(t *testing.T) (string, error) {
	t.Helper()
	switch {
	case c.Float != "":
		bits, err := strconv.ParseUint(c.Float, 16, 64)
		if err != nil {
			t.Fatal(err)
		}
		return FormatFloat(math.Float64frombits(bits), c.Spec)
	case c.Int != "":
		v, err := strconv.ParseInt(c.Int, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		return FormatInt(v, c.Spec)
	}
	return FormatBool(c.Bool, c.Spec)
}

func TestNumbersFormatAsRecordedFromPython(t *testing.T) {
	wrong := 0
	n := eachLine(t, *pythonCorpus, func(line int, c pythonCase) {
		got, err := c.format(t)
		want := Error{Exception: c.Exception, Message: c.Message}
		var raised *Error
		switch {
		case c.Exception == "" && err == nil && got == c.Text:
			return
		case errors.As(err, &raised) && *raised == want:
			return
		}
		if wrong++; wrong <= 20 {
			t.Errorf("line %d: %+v: got %q, %v", line, c, got, err)
		}
	})
	if wrong > 0 || n < 3000 {
		t.Errorf("%d of %d cases differ, want 0 of at least 3000", wrong, n)
	}
}
