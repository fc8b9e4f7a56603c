package terminal

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/gradtui/gradtui/internal/testing/require"
)

func TestWhatAProgramSwitchesOnItHasToSwitchOff(t *testing.T) {
	for _, c := range []struct {
		on, off, left string
	}{
		{"\x1b[?25l", "\x1b[?25h", "the cursor is hidden (25)"},
		{"\x1b[?7l", "\x1b[?7h", "long lines do not wrap (7)"},
		{"\x1b[?1049h", "\x1b[?1049l", "the alternate screen is shown (1049)"},
		{"\x1b[?1003h", "\x1b[?1003l", "the mouse is on, with all motion (1003)"},
		{"\x1b[?2004h", "\x1b[?2004l", "bracketed paste is on (2004)"},
		{"\x1b[?2026h", "\x1b[?2026l", "the screen is frozen (synchronized output) (2026)"},
		{"\x1b[?4711h", "\x1b[?4711l", "a mode is not what it was (4711)"},
		{"\x1b[>5u", "\x1b[<u", "the kitty keyboard flags of the main screen are not popped"},
		{"\x1b[>1u\x1b[>1u", "\x1b[<2u", "the kitty keyboard flags of the main screen are not popped"},
		{"\x1b[=1u", "\x1b[<99u", "the kitty keyboard flags of the main screen are not popped"},
		{"\x1b[>4;2m", "\x1b[>4m", "modifyOtherKeys is on"},
		{"\x1b[1;48;5;7m", "\x1b[m", "text is still styled: bold on 7"},
		{"\x1b[5 q", "\x1b[0 q", "the cursor has another shape"},
	} {
		emulator := vt.NewEmulator(20, 3)
		m := watch(emulator, true)
		emulator.WriteString(c.on)
		if diff := cmp.Diff([]string{c.left}, m.left()); diff != "" {
			t.Errorf("after %q, -want +got:\n%s", c.on, diff)
		}
		emulator.WriteString(c.off)
		if left := m.left(); len(left) > 0 {
			t.Errorf("after %q, there is left: %q", c.on+c.off, left)
		}
	}
}

func TestATerminalAnswersWhatItIsAsked(t *testing.T) {
	const keyboard, synchronized = "\x1b[?u", "\x1b[?2026$p"
	for _, c := range []struct {
		plain       bool
		asked, want string
	}{
		{false, keyboard, "\x1b[?0u"},
		{false, "\x1b[>1u\x1b[=2;2u" + keyboard, "\x1b[?3u"},
		{false, "\x1b[>7u\x1b[=2;3u" + keyboard, "\x1b[?5u"},
		{false, "\x1b[>1u\x1b[?1049h" + keyboard, "\x1b[?0u"},
		{false, synchronized, "\x1b[?2026;2$y"},
		{true, synchronized, "\x1b[?2026;0$y"},
		{true, keyboard, ""},
	} {
		emulator := vt.NewEmulator(20, 3)
		m := watch(emulator, c.plain)
		const last = "\x1b[6n" // always answered
		go emulator.WriteString(c.asked + last)
		answer := ""
		for buffer := make([]byte, 100); !strings.HasSuffix(answer, "R"); {
			n, err := emulator.Read(buffer)
			if err != nil {
				t.Fatal(err)
			}
			answer += string(buffer[:n])
		}
		if got, _, _ := strings.Cut(answer, "\x1b[1;1R"); got != c.want {
			t.Errorf("%q (plain: %t) is answered with %q, want %q", c.asked, m.plain, got, c.want)
		}
	}
}

func TestTextIsFoundWhereItWasWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		emulator := vt.NewEmulator(60, 5)
		m := watch(emulator, false)
		x, y := rapid.IntRange(0, 20).Draw(t, "x"), rapid.IntRange(0, 4).Draw(t, "y")
		before := rapid.StringMatching("[a-z世界é─]{0,10}").Draw(t, "before")
		fmt.Fprintf(emulator, "\x1b[%d;%dH%s", y+1, x+1, before)
		at := emulator.CursorPosition()
		fmt.Fprint(emulator, "\x1b[1mNEEDLE")

		screen := snapshot(emulator, m)
		gotX, gotY, ok := screen.Find("NEEDLE")
		if !ok || gotX != at.X || gotY != at.Y {
			t.Fatalf("found (%t) at %d, %d, want %d, %d in\n%s", ok, gotX, gotY, at.X, at.Y, screen)
		}
		if cell := screen.Cell(gotX, gotY); cell != (Cell{Text: "N", Attrs: "bold"}) {
			t.Fatalf("the cell found is %+v", cell)
		}
		if want := fmt.Sprintf("%d: %d-%d bold\n", gotY, gotX, gotX+5); screen.Styles() != want {
			t.Fatalf("styles %q, want %q", screen.Styles(), want)
		}
	})
}

func TestASnapshotOfADrawingWaitsForItsEnd(t *testing.T) {
	shell := start(t, `printf '\033[?2026hhalf'; read x; printf ' whole\033[?2026l'; read x`)
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	for {
		changed := shell.Changed()
		if output, _ := shell.Output(); strings.Contains(string(output), "half") {
			break
		}
		<-changed
	}
	shell.Type("\n")
	seen := 0
	screen, err := shell.Wait(ctx, func(screen Screen) bool {
		if _, _, ok := screen.Find("half"); ok {
			seen++
		}
		return seen > 0
	})
	if _, _, whole := screen.Find("whole"); err != nil || !whole {
		t.Errorf("%v, and the first screen with a half of it is\n%s", err, screen)
	}
}

func TestAProgramIsTalkedTo(t *testing.T) {
	shell := start(t, `stty size; read line; echo "got $line"; exit 7`)
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	shell.Type("hello\n")
	code, err := shell.End(ctx)
	if err != nil || code != 7 {
		t.Fatalf("exit code %d, %v", code, err)
	}
	want := []string{"7 33", "hello", "got hello", "", "", "", ""}
	got := shell.Screen().Lines()
	if got[0] == "hello" { // typed before the program was there
		want[0], want[1] = want[1], want[0]
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if left := shell.Left(); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

func TestALineDisciplineThatIsNotPutBackIsNoticed(t *testing.T) {
	shell := start(t, `stty -echo`)
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	if _, err := shell.End(ctx); err != nil {
		t.Fatal(err)
	}
	if left := shell.Left(); len(left) != 1 || !strings.Contains(left[0], "line discipline") {
		t.Errorf("left behind: %q", left)
	}
}

func TestClosingEndsAProgramThatDoesNotWantTo(t *testing.T) {
	shell := start(t, `trap '' INT TERM HUP; echo ready; read x; read x`)
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	ready := func(screen Screen) bool { return strings.Contains(screen.String(), "ready") }
	if _, err := shell.Wait(ctx, ready); err != nil {
		t.Fatal(err)
	}
	shell.Close()
	<-shell.Ended()
	if code, err := shell.End(ctx); code != -1 || err != nil {
		t.Errorf("exit code %d, %v", code, err)
	}
}

// start runs a shell script in a small terminal.
func start(t *testing.T, script string) *Terminal {
	t.Helper()
	require.Command(t, "sh")
	terminal, err := Start(Options{Columns: 33, Rows: 7, Dir: os.TempDir()}, "sh", "-c", script)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(terminal.Close)
	return terminal
}
