package script

import (
	"errors"
	"fmt"
	"slices"

	"go.starlark.net/starlark"

	"github.com/gradtui/gradtui/graph"
)

// A builtin is a function that scripts may call.
type builtin struct {
	name, signature, doc string
	call                 func(s *session, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error)
}

// builtins are in the order of the documentation.
var builtins = []builtin{
	{"tensor", "name", `The tensor with this name or number at this moment: "loss", "train.loss", "layers[2].weight", "t17". It is an error if there is none.`, func(s *session, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		var name string
		if err := starlark.UnpackArgs(b.Name(), args, kwargs, "name", &name); err != nil {
			return nil, err
		}
		return s.named(name)
	}},
	{"tensors", "leaf=None, requires_grad=None", "All tensors that exist at this moment, in order of creation.", func(s *session, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		var leaf, requires starlark.Value = starlark.None, starlark.None
		if err := starlark.UnpackArgs(b.Name(), args, kwargs, "leaf?", &leaf, "requires_grad?", &requires); err != nil {
			return nil, err
		}
		found := []starlark.Value{}
		for t := range s.graph().Tensors() {
			if wanted(leaf, t.Leaf()) && wanted(requires, t.RequiresGrad) {
				found = append(found, &object[graph.Tensor]{tensorKind, s, t})
			}
		}
		return list(found), nil
	}},
	{"nodes", "name=None, line=None", "The nodes of the backward graph that have a name or were made at a line, in order of creation.", func(s *session, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		found, _, err := s.findNodes(b, args, kwargs)
		return list(found), err
	}},
	{"node", "name=None, line=None", "The one node that has a name or was made at a line. It is an error if there is none or more than one.", func(s *session, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		found, what, err := s.findNodes(b, args, kwargs)
		if err != nil {
			return nil, err
		}
		if len(found) != 1 {
			return nil, fmt.Errorf("node: there are %d nodes %s, not one", len(found), what)
		}
		return found[0], nil
	}},
	{"backwards", "", "The backward passes of the whole run, in order.", func(s *session, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		if err := starlark.UnpackArgs(b.Name(), args, kwargs); err != nil {
			return nil, err
		}
		found := []starlark.Value{}
		for id := 1; id < len(s.found.History.Passes()); id++ {
			found = append(found, &object[graph.BackwardID]{passKind, s, graph.BackwardID(id)})
		}
		return list(found), nil
	}},
	{"backward", "number", "A backward pass; -1 is the last one.", func(s *session, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		var number int
		if err := starlark.UnpackArgs(b.Name(), args, kwargs, "number", &number); err != nil {
			return nil, err
		}
		passes := len(s.found.History.Passes()) - 1
		if number < 0 {
			number += passes + 1
		}
		if number < 1 || number > passes {
			return nil, fmt.Errorf("backward: the program ran %d backward passes", passes)
		}
		return &object[graph.BackwardID]{passKind, s, graph.BackwardID(number)}, nil
	}},
	{"pos", "", "The position: how many events lie before it.", func(s *session, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		return starlark.MakeInt(int(s.cursor.Pos())), starlark.UnpackArgs(b.Name(), args, kwargs)
	}},
	{"line", "", "The line of the newest event, or None at the beginning.", func(s *session, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		return optionalLine(s.place(s.cursor.Pos() - 1).Line), starlark.UnpackArgs(b.Name(), args, kwargs)
	}},
	{"rewind", "", "Moves to the beginning of the run. A script begins at its end.", func(s *session, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		if err := starlark.UnpackArgs(b.Name(), args, kwargs); err != nil {
			return nil, err
		}
		return starlark.None, s.cursor.Seek(0)
	}},
	{"finish", "", "Moves to the end of the run.", func(s *session, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		if err := starlark.UnpackArgs(b.Name(), args, kwargs); err != nil {
			return nil, err
		}
		return starlark.None, s.cursor.Seek(s.tape.Len())
	}},
	{"step", `unit="op", count=1`, `Moves forward: by "event", "op" (past the next operation) or "node" (past the next node that runs backward). False if the run ends before.`, moveBy(1)},
	{"back", `unit="op", count=1`, "Moves back in the same way. False at the beginning.", moveBy(-1)},
	{"run_to", `line=None, op=None, backward=None, event=None, finding=None, query=None, optional=False`, "Moves forward: past what the program does next at a line, past the next operation with a name, to the beginning of a backward pass, to a position, to where a finding occurred, or to the next hit of a query. Give exactly one target. It is an error if the run does not reach it; with optional=True the result is False instead, and the position does not change.", func(s *session, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		c := stop{event: -1}
		optional := false
		if err := starlark.UnpackArgs(b.Name(), args, kwargs, "line?", &c.line, "op?", &c.op, "backward?", &c.backward, "event?", &c.event, "finding?", &c.finding, "query?", &c.query, "optional?", &optional); err != nil {
			return nil, err
		}
		if len(args) > 0 || len(kwargs) == 0 {
			return nil, errors.New("run_to: missing a target, for example: run_to(line=12)")
		}
		if _, err := s.hits(c.query); c.query != "" && err != nil {
			return nil, fmt.Errorf("run_to: %w", err)
		}
		reached := s.runTo(c)
		if !reached && !optional {
			return nil, fmt.Errorf("run_to: %s does not come after event %d; rewind() goes to the beginning", c.what(), s.cursor.Pos())
		}
		return starlark.Bool(reached), nil
	}},
	{"hits", "query", `The positions where a query hits in the whole run, in order: hits('op == "mm" and max(out) > 100'). [queries.md](queries.md) has the language.`, func(s *session, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		var text string
		if err := starlark.UnpackArgs(b.Name(), args, kwargs, "query", &text); err != nil {
			return nil, err
		}
		at, err := s.hits(text)
		if err != nil {
			return nil, fmt.Errorf("hits: %w", err)
		}
		found := make([]starlark.Value, len(at))
		for i, p := range at {
			found[i] = starlark.MakeInt(int(p))
		}
		return list(found), nil
	}},
	{"findings", "code=None", "What the check has found, most relevant first, with hints.", func(s *session, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		var code string
		if err := starlark.UnpackArgs(b.Name(), args, kwargs, "code?", &code); err != nil {
			return nil, err
		}
		found := []starlark.Value{}
		for i, f := range s.found.Findings {
			if code == "" || f.Code == code {
				found = append(found, &object[numbered]{findingKind, s, numbered{i, f}})
			}
		}
		return list(found), nil
	}},
	{"expect_finding", "code, line=None", "Fails if there is no finding with the code, at the line if one is given. Findings that a script expects do not fail the check.", func(s *session, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		var code string
		line := 0
		if err := starlark.UnpackArgs(b.Name(), args, kwargs, "code", &code, "line?", &line); err != nil {
			return nil, err
		}
		found := false
		for i, f := range s.found.Findings {
			if f.Code == code && (line == 0 || f.Primary.Line == line) {
				s.expected[i], found = true, true
			}
		}
		if !found {
			return nil, unmet("no finding %s%s; there are: %s", code, atLine(line), s.listFindings(func(string) bool { return true }))
		}
		return starlark.None, nil
	}},
	{"expect_no_finding", "code=None", "Fails if there is a finding with the code; without one, if there is an error or a warning.", func(s *session, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		var code string
		if err := starlark.UnpackArgs(b.Name(), args, kwargs, "code?", &code); err != nil {
			return nil, err
		}
		if there := s.listFindings(func(c string) bool { return code == "" || c == code }); there != nothing {
			return nil, unmet("there is %s", there)
		}
		return starlark.None, nil
	}},
	{"export", `path, root=None, style="full", saved=False, attrs=False`, "Writes the graph at this moment to a file in the folder of --out: .dot, .svg, .png, .mmd, .json or .txt. root is the name of a tensor to start from.", func(s *session, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		var path string
		how := Picture{Style: "full"}
		if err := starlark.UnpackArgs(b.Name(), args, kwargs, "path", &path, "root?", &how.Root, "style?", &how.Style, "saved?", &how.Saved, "attrs?", &how.Attrs); err != nil {
			return nil, err
		}
		if s.options.Export == nil {
			return nil, errors.New("export: not available here")
		}
		if err := s.options.Export(s.graph(), path, how); err != nil {
			return nil, fmt.Errorf("export: %w", err)
		}
		return starlark.None, nil
	}},
}

// wanted reports whether a fact passes a filter; None lets all through.
func wanted(filter starlark.Value, fact bool) bool {
	return filter == starlark.None || bool(filter.Truth()) == fact
}

func moveBy(direction int) func(*session, *starlark.Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
	return func(s *session, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		name, count := "op", 1
		if err := starlark.UnpackArgs(b.Name(), args, kwargs, "unit?", &name, "count?", &count); err != nil {
			return nil, err
		}
		unit, ok := units[name]
		if !ok || count < 0 {
			return nil, fmt.Errorf(`%s: the unit must be "event", "op" or "node", and the count must not be negative`, b.Name())
		}
		return starlark.Bool(s.move(unit, direction*min(count, int(s.tape.Len())+1))), nil
	}
}

// findNodes returns the nodes that the arguments select, and the selection in words.
func (s *session) findNodes(b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (found []starlark.Value, what string, err error) {
	var name string
	line := 0
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "name?", &name, "line?", &line); err != nil {
		return nil, "", err
	}
	found = []starlark.Value{}
	for n := range s.graph().Nodes() {
		if (name == "" || n.Name == name) && (line == 0 || s.place(n.Created).Line == line) {
			found = append(found, &object[graph.Node]{nodeKind, s, n})
		}
	}
	return found, name + atLine(line), nil
}

func atLine(line int) string {
	if line == 0 {
		return ""
	}
	return fmt.Sprintf(" at line %d", line)
}

const nothing = "nothing"

// listFindings names the errors and warnings whose code is asked for.
func (s *session) listFindings(asked func(code string) bool) string {
	text := ""
	for _, f := range s.found.Findings {
		if f.Severity.String() != "hint" && asked(f.Code) {
			if text != "" {
				text += ", "
			}
			text += fmt.Sprintf("%s at line %d", f.Code, f.Primary.Line)
		}
	}
	if text == "" {
		return nothing
	}
	return text
}

// globals returns the names that a script can use.
func (s *session) globals() starlark.StringDict {
	all := starlark.StringDict{"assert": assertions}
	for _, f := range builtins {
		all[f.name] = starlark.NewBuiltin(f.name, func(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			// None stands for an argument that is not given.
			kwargs = slices.DeleteFunc(slices.Clone(kwargs), func(kv starlark.Tuple) bool { return kv[1] == starlark.None })
			return f.call(s, b, args, kwargs)
		})
	}
	return all
}
