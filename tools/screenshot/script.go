package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/gradtui/gradtui/internal/terminal"
)

// A step is a line of a script.
type step struct {
	name, argument string
	verb
}

// A verb is what a step does with its argument, the rest of the line.
type verb func(ctx context.Context, t *terminal.Terminal, argument string) error

// verbs are all steps there are.
var verbs = map[string]verb{
	"until": func(ctx context.Context, t *terminal.Terminal, text string) error { // text is on the screen; without one, anything is
		_, err := t.Wait(ctx, func(screen terminal.Screen) bool {
			return text != "" && contains(screen, text) || text == "" && strings.TrimSpace(screen.String()) != ""
		})
		return err
	},
	"gone": func(ctx context.Context, t *terminal.Terminal, text string) error { // text is on the screen no more
		_, err := t.Wait(ctx, func(screen terminal.Screen) bool { return !contains(screen, text) })
		return err
	},
	"type": func(_ context.Context, t *terminal.Terminal, text string) error { // text is typed
		t.Type(text)
		return nil
	},
	"keys": func(_ context.Context, t *terminal.Terminal, names string) error { // keys are pressed: down ctrl+f enter
		return t.Keys(strings.Fields(names)...)
	},
	"click": func(_ context.Context, t *terminal.Terminal, text string) error { // the mouse is clicked where a text begins
		x, y, ok := t.Screen().Find(text)
		if !ok {
			return fmt.Errorf("there is no %q", text)
		}
		return t.Click(terminal.Left, x, y)
	},
}

func (s step) take(ctx context.Context, t *terminal.Terminal) error {
	return s.verb(ctx, t, s.argument)
}

func (s step) String() string { return strings.TrimSpace(s.name + " " + s.argument) }

func contains(screen terminal.Screen, text string) bool {
	_, _, ok := screen.Find(text)
	return ok
}

// parse reads a script. Empty lines and lines that begin with # are not steps.
func parse(script string) (steps []step, err error) {
	for i, line := range strings.Split(script, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, argument, _ := strings.Cut(line, " ")
		do, ok := verbs[name]
		if !ok {
			return nil, fmt.Errorf("line %d: there is no step %q", i+1, name)
		}
		steps = append(steps, step{name, argument, do})
	}
	return steps, nil
}
