// Command screenshot makes a picture of a program in a terminal: it starts the program,
// does what a script says, and writes the screen as SVG.
//
//	go run ./tools/screenshot -o docs/images/tui.svg -script docs/images/tui.txt -- gradtui demo inplace
//
// Each line of the script is a step; script.go lists them. Without a script the picture is
// of the first screen that has something on it. A program named gradtui is built from this
// source tree first.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gradtui/gradtui/internal/terminal"
	"github.com/gradtui/gradtui/internal/testing/thiscommand"
)

// pause is how long the screen must not change before the picture is taken.
const pause = 300 * time.Millisecond

func main() {
	output := flag.String("o", "", "write the picture to this `file` (default: standard output)")
	script := flag.String("script", "", "a `file` of steps to take before the picture")
	columns := flag.Int("columns", 120, "width of the terminal")
	rows := flag.Int("rows", 40, "height of the terminal")
	patience := flag.Duration("patience", 30*time.Second, "how long a step may wait")
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	err := run(flag.Args(), *script, *output, terminal.Options{Columns: *columns, Rows: *rows}, *patience)
	if err != nil {
		fmt.Fprintln(os.Stderr, "screenshot:", err)
		os.Exit(1)
	}
}

func run(command []string, script, output string, options terminal.Options, patience time.Duration) error {
	text := []byte("until")
	if script != "" {
		var err error
		if text, err = os.ReadFile(script); err != nil {
			return err
		}
	}
	steps, err := parse(string(text))
	if err != nil {
		return fmt.Errorf("%s: %w", script, err)
	}
	if command[0] == "gradtui" {
		dir, err := os.MkdirTemp("", "gradtui-screenshot-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		if command[0], err = thiscommand.Build(dir); err != nil {
			return err
		}
	}
	screen, err := take(command, steps, options, patience)
	if err != nil {
		return err
	}
	title := strings.Join(append([]string{filepath.Base(command[0])}, command[1:]...), " ")
	if output == "" {
		return write(os.Stdout, screen, title)
	}
	file, err := os.Create(output)
	if err != nil {
		return err
	}
	return errors.Join(write(file, screen, title), file.Close())
}

// take runs the command, takes the steps and returns the screen after them.
func take(command []string, steps []step, options terminal.Options, patience time.Duration) (terminal.Screen, error) {
	t, err := terminal.Start(options, command[0], command[1:]...)
	if err != nil {
		return terminal.Screen{}, err
	}
	defer t.Close()
	for _, s := range steps {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		err := s.take(ctx, t)
		cancel()
		if err != nil {
			return terminal.Screen{}, fmt.Errorf("%s: %w\n%s", s, err, t.Screen())
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := t.Quiet(ctx, pause); err != nil {
		return terminal.Screen{}, fmt.Errorf("the screen does not come to rest: %w", err)
	}
	return t.Screen(), nil
}
