package cli

import (
	"bytes"
	"fmt"
	"testing"
	"time"
)

func TestTheLineOfProgressIsClearedBeforeAnythingElseIsWritten(t *testing.T) {
	var out bytes.Buffer
	m := &Messages{to: &out, columns: func() int { return 12 }}
	m.show("gradtui: reading a name that is long")
	m.show("short")
	fmt.Fprintln(m, "a message")
	fmt.Fprintln(m, "another")
	m.show("more")
	m.finish(&task{})
	m.finish(&task{})
	const clear = "\r\x1b[K"
	if got, want := out.String(), "gradtui: r…"+clear+"short"+clear+"a message\nanother\nmore"+clear; got != want {
		t.Errorf("%q is written, want %q", got, want)
	}
}

func TestNothingIsShownOfWhatIsOverAtOnce(t *testing.T) {
	var out bytes.Buffer
	over := make(chan struct{})
	close(over)
	(&Messages{to: &out, columns: func() int { return 80 }}).follow(&task{what: "reading", began: time.Now()}, over)
	if out.Len() > 0 {
		t.Errorf("%q is written", out.String())
	}
}

func TestProgressSaysWhatIsDoneHowFarItIsAndHowLongItTook(t *testing.T) {
	began := time.Now()
	known := func() string { return "7 events" }
	for _, c := range []struct {
		far  func() string
		took time.Duration
		want string
	}{
		{known, 1234 * time.Millisecond, "gradtui: reading a.tape: 7 events, 1.2s"},
		{nil, 61040 * time.Millisecond, "gradtui: reading a.tape: 1m1s"},
		{known, 1234 * time.Microsecond, "gradtui: reading a.tape: 7 events, 1.23ms"},
	} {
		j := task{what: "reading a.tape", far: c.far, began: began}
		if got := j.at(began.Add(c.took)); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
