package tuitest_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/tuitest"
)

var _ = flag.Bool("update", false, "rewrite the golden files")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"toy": runToy})
}

// small is a terminal of the size that everybody has.
var small = tuitest.Terminal{Columns: 80, Rows: 24}

func TestAStoryIsToldAndTheTerminalIsLeftClean(t *testing.T) {
	s := tuitest.Start(t, small, "toy")
	s.Until("count 0")
	s.Type("++")
	s.Keys("+", "-", "+")
	s.Until("count 3")
	s.Resize(100, 30)
	s.Until("size 100x30")
	if y := s.Row("count"); y != 0 || s.Line(y) != "count 3" {
		t.Errorf("line %d is %q", y, s.Line(y))
	}
	s.Keys("-")
	s.UntilGone("count 3")
	s.Type("q")
	s.Exit(0)
}

func TestAKeyArrivesAsThePersonPressedIt(t *testing.T) {
	for _, keys := range []string{
		"enter", "tab", "shift+tab", "backspace", "esc", "space", "up", "left", "home", "end", "pgup", "pgdown",
		"delete", "f1", "f5", "f12", "shift+up", "ctrl+right", "ctrl+a", "ctrl+z", "alt+x", "alt+enter", "G", "?", "é", "世",
	} {
		for _, plain := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/plain=%t", keys, plain), func(t *testing.T) {
				s := tuitest.Start(t, tuitest.Terminal{Columns: 80, Rows: 24, Plain: plain}, "toy")
				s.Until("size 80x24")
				s.Keys(keys)
				s.Row("last " + keys)
				s.Keys("ctrl+c")
			})
		}
	}
}

func TestEscapeIsNotTakenForTheBeginningOfTheNextKey(t *testing.T) {
	s := tuitest.Start(t, small, "toy")
	s.Until("size")
	s.Keys("esc", "+", "esc", "+")
	s.Until("count 2")
}

func TestTheMouseIsHeard(t *testing.T) {
	s := tuitest.Start(t, small, "toy")
	x, y := s.Position("界")
	s.Click(x, y)
	s.Until("last left at 7, 3")
	s.Wheel(x, y, 2)
	s.Until("last wheeldown")
	s.Wheel(x, y, -1)
	s.Until("last wheelup")
}

func TestCellsHaveTheirColours(t *testing.T) {
	s := tuitest.Start(t, small, "toy")
	s.Until("reversed")
	for text, want := range map[string]tuitest.Cell{
		"0":        {Text: "0", Fg: "#ff8000", Attrs: "bold"},
		"count":    {Text: "c"},
		"reversed": {Text: "r", Attrs: "reverse"},
		"界":        {Text: "界"},
	} {
		if got := s.CellOf(text); got != want {
			t.Errorf("%q is %+v, want %+v", text, got, want)
		}
	}
	s.UntilCell(6, 0, func(cell tuitest.Cell) bool { return cell.Text == "0" })
}

func TestTheColoursFollowTheEnvironment(t *testing.T) {
	s := tuitest.Start(t, tuitest.Terminal{Env: []string{"NO_COLOR=1"}}, "toy")
	s.Until("size 120x40")
	if got, want := s.CellOf("0"), (tuitest.Cell{Text: "0", Attrs: "bold"}); got != want {
		t.Errorf("without colours, the number is %+v, want %+v", got, want)
	}
}

func TestAScreenIsAGoldenFile(t *testing.T) {
	s := tuitest.Start(t, tuitest.Terminal{Columns: 30, Rows: 5}, "toy")
	s.Until("count 0")
	s.Golden("toy")
	s.GoldenStyles("toy")
}

func TestAKeyThatChangesAFigureWritesLittle(t *testing.T) {
	// Plain, because Bubble Tea redraws everything when it learns that output can be synchronized.
	s := tuitest.Start(t, tuitest.Terminal{Columns: 80, Rows: 24, Plain: true}, "toy")
	s.Until("size 80x24")
	mark := s.Mark()
	s.Keys("+")
	s.Until("count 1")
	written := s.BytesSince(mark)
	if !bytes.Contains(written, []byte("1")) || bytes.Contains(written, []byte("size")) {
		t.Errorf("a key wrote %q", written)
	}
}

func TestAPanicLeavesTheTerminalCleanAndItsMessageInIt(t *testing.T) {
	s := tuitest.Start(t, tuitest.Terminal{Rows: 80}, "toy") // all of the stack
	s.Until("count 0")
	s.Keys("p")
	s.Exit(3)
	s.Until("the toy is broken")
}

func TestASignalLeavesTheTerminalClean(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no signals")
	}
	s := tuitest.Start(t, small, "toy")
	s.Until("count 0")
	s.Signal(os.Interrupt)
	s.Exit(3)
}

func TestAKilledProgramLeavesNothingButAMess(t *testing.T) {
	s := tuitest.Start(t, small, "toy")
	s.Until("count 0")
	s.Signal(os.Kill)
	if code := s.End(); code != -1 {
		t.Errorf("exit code %d of a killed program", code)
	}
	report := failure(t, func(t testing.TB) { s.As(t).Exit(-1) })
	for _, want := range []string{"line discipline", "alternate screen", "cursor is hidden"} {
		if !strings.Contains(report, want) {
			t.Errorf("no word of the %s in\n%s", want, report)
		}
	}
}

func TestWhatAProgramLeavesBehindIsNamed(t *testing.T) {
	s := tuitest.Start(t, small, "toy", "dirty")
	report := failure(t, func(t testing.TB) { s.As(t).Exit(0) })
	for _, want := range []string{
		"the cursor is hidden (25)", "with motion while a button is down (1002)", "the mouse's encoding is on (1006)",
		"the alternate screen is shown (1049)", "bracketed paste is on (2004)", "flags of the alternate screen are not popped",
		"modifyOtherKeys is on", "text is still styled: bold 1",
	} {
		if !strings.Contains(report, want) {
			t.Errorf("no word of %q in\n%s", want, report)
		}
	}
}

func TestAnExpectationThatCannotBeFulfilledFailsWithTheScreen(t *testing.T) {
	s := tuitest.Start(t, small, "toy", "dirty")
	report := failure(t, func(t testing.TB) { s.As(t).Until("count 0") })
	if want := `toy dirty: "count 0" does not appear: the command has ended`; !strings.HasPrefix(report, want) {
		t.Errorf("the report does not begin with %q:\n%s", want, report)
	}
	if !strings.Contains(report, "\nhelp\n") {
		t.Errorf("the screen is not in the report:\n%s", report)
	}
}

// fatal is the message that a test ends with.
type fatal string

// recorder is a test that is expected to fail.
type recorder struct{ testing.TB }

func (r recorder) Fatalf(format string, args ...any) { panic(fatal(fmt.Sprintf(format, args...))) }

// failure is what a test says when it fails, which it must.
func failure(t *testing.T, test func(testing.TB)) (report string) {
	t.Helper()
	defer func() {
		message, ok := recover().(fatal)
		if !ok {
			t.Error("a test that must fail does not")
		}
		report = string(message)
	}()
	test(recorder{t})
	return ""
}
