package tuitest_test

import (
	"fmt"
	"os"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// toy is a program to try the driver on: it counts, and repeats what was typed.
type toy struct {
	count         int
	columns, rows int
	last          string
}

func runToy() {
	if len(os.Args) > 1 && os.Args[1] == "dirty" { // as a program that dies leaves a terminal
		fmt.Print("\x1b[?1049h\x1b[?25l\x1b[?1002h\x1b[?1006h\x1b[?2004h\x1b[>1u\x1b[>4;2m\x1b[1;31mhelp")
		os.Exit(0)
	}
	if _, err := tea.NewProgram(toy{}).Run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
}

func (t toy) Init() tea.Cmd { return nil }

func (t toy) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		t.columns, t.rows = msg.Width, msg.Height
	case tea.MouseClickMsg:
		t.last = fmt.Sprintf("%s at %d, %d", msg.Button, msg.X, msg.Y)
	case tea.MouseWheelMsg:
		t.last = msg.Button.String()
	case tea.KeyPressMsg:
		t.last = msg.String()
		switch t.last {
		case "+":
			t.count++
		case "-":
			t.count--
		case "p":
			panic("the toy is broken")
		case "q":
			return t, tea.Quit
		}
	}
	return t, nil
}

func (t toy) View() tea.View {
	view := tea.NewView(strings.Join([]string{
		fmt.Sprintf("count \x1b[1;38;2;255;128;0m%d\x1b[m", t.count),
		fmt.Sprintf("size %dx%d", t.columns, t.rows),
		"last " + t.last,
		"wide 世界 \x1b[7mreversed\x1b[m",
	}, "\n"))
	view.AltScreen = true
	view.MouseMode = tea.MouseModeCellMotion
	return view
}
