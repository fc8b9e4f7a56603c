package main

import (
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/gradtui/gradtui/audit"
)

// A program lies about its gradients. Lines of it have comments:
//
//	# want: lost    the verdict of the audit: lost, wrong, or hook
//	# engine: torch only this engine can run it
//	CODE  # good: CODE    a line to blame, and what the counterpart has instead
//	CODE  # here    another line that is a right answer
type program struct {
	name  string // without .py
	text  string
	good  string // the counterpart
	want  string
	lines []int // right answers, from 1

	engine string // the only one that can run it; "" for any
}

// aside reports whether the program belongs to the half whose wrong answers are not shown: nothing is mended with
// them in view.
func (p *program) aside() bool {
	h := fnv.New32a()
	h.Write([]byte(p.name))
	return h.Sum32()%2 == 1
}

var (
	wanted = regexp.MustCompile(`(?m)^# want: (lost|wrong|hook)$`)
	marked = regexp.MustCompile(`^(\s*)(.*?)  # (?:good: (.*)|here)$`)
)

// programs reads the programs of a folder that an engine can run, in the order of their names.
func programs(dir, engine string) ([]*program, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.py"))
	if err != nil {
		return nil, err
	}
	var list []*program
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		p, err := parse(strings.TrimSuffix(filepath.Base(file), ".py"), string(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if p.engine == "" || p.engine == engine {
			list = append(list, p)
		}
	}
	return list, nil
}

func parse(name, text string) (*program, error) {
	p := &program{name: name, text: text}
	want := wanted.FindStringSubmatch(text)
	if want == nil {
		return nil, fmt.Errorf("no line says # want:")
	}
	p.want = want[1]
	if strings.Contains(text, "\n# engine: torch\n") {
		p.engine = "torch"
	}
	var good []string
	for i, line := range strings.Split(text, "\n") {
		if m := marked.FindStringSubmatch(line); m != nil {
			p.lines = append(p.lines, i+1)
			if m[3] != "" {
				line = m[1] + m[3]
			}
		}
		good = append(good, line)
	}
	p.good = strings.Join(good, "\n")
	if p.good == text {
		return nil, fmt.Errorf("no line has # good:")
	}
	return p, nil
}

// An answer is what the audit says about a program and its counterpart.
type answer struct {
	found bool // with the verdict that is wanted
	line  bool // a line to blame is named first
	named bool // a line to blame is in the report
	exact bool // the counterpart is exact, or leaves out on purpose only
	said  string
	good  string // what was said about the counterpart
}

// right reports whether nothing is left to wish for.
func (a *answer) right() bool { return a.found && a.line && a.exact }

// ask records a program and its counterpart, in a folder of their own, and audits them.
func (c *command) ask(p *program, dir string) (*answer, error) {
	dir = filepath.Join(dir, p.name)
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, err
	}
	a := &answer{}
	r, places, err := c.audit(filepath.Join(dir, "prog.py"), p.text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.name, err)
	}
	a.found = p.want == verdict(r)
	for i, line := range places {
		for _, right := range p.lines {
			a.line = a.line || line == right && i < 2
			a.named = a.named || line == right
		}
	}
	a.said = describe(r, places)
	if r, places, err = c.audit(filepath.Join(dir, "good.py"), p.good); err != nil {
		return nil, fmt.Errorf("%s, the counterpart: %w", p.name, err)
	}
	a.exact = r.Verdict() == audit.Exact || r.Verdict() == audit.Cuts && len(r.Changes) == 0
	a.good = describe(r, places)
	return a, nil
}

// verdict is what was found: lost, wrong, hook, or nothing. A hook is what a person may have meant: it is listed, with its
// size.
func verdict(r *audit.Result) string {
	switch v := r.Verdict(); v {
	case audit.Lost:
		return "lost"
	case audit.Lies:
		return "wrong"
	case audit.Cuts:
		for _, c := range r.Changes {
			if c.Hook {
				return "hook"
			}
		}
		return "purpose"
	case audit.Exact:
		return "exact"
	}
	return "not judged"
}

func describe(r *audit.Result, places []int) string {
	text := fmt.Sprintf("%s at %v", verdict(r), places)
	for i, g := range r.Gaps {
		if i < 3 {
			text += fmt.Sprintf("; not followed: line %d, %s: %s", g.Frame.Line, g.What, g.Why)
		}
	}
	return text
}
