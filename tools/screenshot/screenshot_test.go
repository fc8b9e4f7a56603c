package main

import (
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/gradtui/gradtui/internal/terminal"
	"github.com/gradtui/gradtui/internal/testing/goldenfile"
)

var update = flag.Bool("update", false, "rewrite the golden file")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"painter": painter})
}

// painter shows a bit of all that a picture can have, and the line that is typed.
func painter() {
	fmt.Print("\x1b[2J\x1b[H╭──┬─╮ \x1b[1;31mbold <red> & \x1b[22mnot\x1b[m\r\n" +
		"│  │ ├ \x1b[2;3mfaint\x1b[m \x1b[4;38;2;1;2;3mtrue\x1b[m \x1b[38;5;214mindexed\x1b[m\r\n" +
		"╰──┴─╯ \x1b[7mreverse\x1b[m \x1b[44mblue\x1b[m 世界 é\r\n> ")
	var line string
	fmt.Scanln(&line)
	fmt.Printf("\x1b[32mtyped %s\x1b[m", line)
	fmt.Scanln(&line)
}

var options = terminal.Options{Columns: 40, Rows: 6}

func TestThePictureShowsTheScreenAfterTheSteps(t *testing.T) {
	dir := t.TempDir()
	script, output := filepath.Join(dir, "script"), filepath.Join(dir, "screen.svg")
	if err := os.WriteFile(script, []byte("# what a person does\nuntil >\ntype hello\nkeys enter\n\nuntil typed hello\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := run([]string{"painter"}, script, output, options, 30*time.Second); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(output)
	if err != nil {
		t.Fatal(err)
	}
	goldenfile.Check(t, filepath.Join("testdata", "painter.svg"), string(got), *update)
}

func TestTheTextOfThePictureIsThatOfTheScreen(t *testing.T) {
	steps, err := parse("until >")
	if err != nil {
		t.Fatal(err)
	}
	screen, err := take([]string{"painter"}, steps, options, 30*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	var picture strings.Builder
	write(&picture, screen, "a <title>")

	var text strings.Builder
	for d := xml.NewDecoder(strings.NewReader(picture.String())); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if data, ok := token.(xml.CharData); ok {
			text.Write(data)
		}
	}
	want := "a <title>" + screen.String()
	got := text.String()
	blank := func(r rune) rune {
		if drawn(string(r)) || strings.ContainsRune(" \n", r) {
			return -1
		}
		return r
	}
	if diff := cmp.Diff(strings.Map(blank, want), strings.Map(blank, got)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestAStepThatCannotBeTakenSaysWhatWasOnTheScreen(t *testing.T) {
	for script, want := range map[string]string{
		"click nothing": `click nothing: there is no "nothing"`,
		"keys hyper+x":  `keys hyper+x: there is no key "hyper+x"`,
		"dance":         `line 1: there is no step "dance"`,
	} {
		steps, err := parse(script)
		if err == nil {
			_, err = take([]string{"painter"}, steps, options, 30*time.Second)
		}
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", script, err, want)
		}
	}
}
