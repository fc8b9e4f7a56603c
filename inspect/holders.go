package inspect

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/graph"
)

// A Holder is a place where a tensor is kept: by the program, as a gradient, or by the graph.
type Holder struct {
	Tensor graph.TensorID
	Kind   HolderKind
	Path   string    // how the program could write it: loss, self.losses[3], cache['h']
	Scope  string    // the function, class or module of the variable that the path begins with; empty: global
	Class  string    // of the object that has the last attribute in the path; empty: there is none, or it is not known
	Since  graph.Pos // the event that says so first
	Seen   graph.Pos // the event that says so last
	Until  graph.Pos // when the place was first known to hold something else; -1: never

	Owner graph.TensorID // whose .grad it is
	Node  graph.NodeID   // what has saved it

	made graph.StackID // where the tensor was made
	age  graph.Pos     // events from then to Seen
}

// A HolderKind says what keeps a tensor.
type HolderKind uint8

// The kinds of holders.
const (
	HeldInVariable HolderKind = iota // a variable of the program
	HeldInPart                       // an attribute of an object, an element of a container
	HeldAsGrad                       // the .grad of Owner
	HeldByNode                       // Node has saved it
)

// place identifies a place.
type place struct{ scope, path string }

// held notes where the program keeps a tensor.
func (h *History) held(e *graph.TensorHeld) {
	at := place{h.tape.String(e.Scope), h.tape.String(e.Path)}
	if i, again := h.places[at]; again {
		if last := &h.holders[i]; last.Tensor == e.Tensor {
			last.age += h.pos - last.Seen
			last.Seen = h.pos
			return
		}
		h.holders[i].Until = h.pos
	}
	t := h.Tensor(e.Tensor)
	if !t.Known() {
		return
	}
	h.places[at] = len(h.holders)
	h.holders = append(h.holders, Holder{
		Tensor: e.Tensor, Kind: kindOf(at.path), Path: at.path, Scope: at.scope, Class: h.tape.String(e.Class), Since: h.pos, Seen: h.pos, Until: -1,
		made: t.Stack, age: h.pos - t.Created,
	})
}

// mostHolders is how many places of forgotten tensors are kept for each call stack that made some.
const mostHolders = 4

// forgetHolders drops the places of tensors that were forgotten, except a few containers.
func (h *History) forgetHolders() {
	kept := map[graph.StackID]int{}
	h.holders = slices.DeleteFunc(h.holders, func(k Holder) bool {
		if h.memory.full(k.Seen) || h.tensor(k.Tensor) != nil {
			return false
		}
		kept[k.made]++
		return !k.Element() || kept[k.made] > mostHolders
	})
	clear(h.places)
	for i, k := range h.holders {
		h.places[place{k.Scope, k.Path}] = i
	}
}

// Holders returns the places that are known to hold a tensor at an event: elements and attributes in
// the order in which they were found, then variables, the newest first, then the .grad of a leaf, then the nodes that
// have saved it. A node that was freed or released until now is not among them.
func (h *History) Holders(id graph.TensorID, at graph.Pos) (list []Holder) {
	var variables []Holder
	for _, k := range h.found(id, at) {
		if k.Element() {
			list = append(list, k)
		} else {
			variables = append(variables, k)
		}
	}
	for _, n := range slices.Backward(h.Tensor(id).Names) {
		known := slices.ContainsFunc(variables, func(k Holder) bool { return k.Path == n.Name && k.Scope == n.Scope })
		if n.At <= at && (n.Lost < 0 || n.Lost > at) && !known {
			variables = append(variables, Holder{Tensor: id, Kind: HeldInVariable, Path: n.Name, Scope: n.Scope, Since: n.At, Seen: n.At, Until: n.Lost})
		}
	}
	list = append(list, variables...)
	if k, ok := h.heldAsGrad(id, at); ok {
		list = append(list, k)
	}
	return append(list, h.heldByNodes(id, at)...)
}

// heldAsGrad returns the leaf whose .grad a tensor is at an event; ok is false if the program has assigned another one
// since, which no list has.
func (h *History) heldAsGrad(id graph.TensorID, at graph.Pos) (k Holder, ok bool) {
	leaf, ok := h.GradOf(id)
	if !ok || id == leaf {
		return Holder{}, false
	}
	k = Holder{
		Tensor: id, Kind: HeldAsGrad, Owner: leaf, Path: fmt.Sprintf("t%d.grad", leaf), Since: -1, Seen: at, Until: -1,
		made: h.Tensor(id).Stack, age: at - h.Tensor(id).Created,
	}
	if names := h.Tensor(leaf).Names; len(names) > 0 {
		last := names[len(names)-1]
		k.Path, k.Scope = last.Name+".grad", last.Scope
	}
	for i := range h.passes {
		for _, c := range h.passes[i].Leaves {
			switch {
			case c.Tensor != leaf || c.At > at && k.Since < 0:
			case c.Grad == id && k.Since < 0:
				k.Since = c.At
			case c.Grad != id && k.Since >= 0 && k.Until < 0:
				k.Until = c.At
			}
		}
	}
	if k.Since < 0 { // the program has assigned it
		k.Since = h.Tensor(id).Created
	}
	for _, z := range h.zeroings.From(k.Since) {
		if z.Tensor == leaf && z.None && (k.Until < 0 || z.At < k.Until) {
			k.Until = z.At
			break
		}
	}
	now, _ := h.Graph().Tensor(leaf)
	return k, k.Since <= at && (k.Until > at || k.Until < 0 && now.Grad == id)
}

// heldByNodes returns the nodes that have saved a tensor before an event, and still have it.
func (h *History) heldByNodes(id graph.TensorID, at graph.Pos) (list []Holder) {
	for _, n := range h.saversOf(id) {
		node, ok := h.Graph().Node(n)
		if !ok || node.Created > at || node.Freed || node.Released {
			continue
		}
		for _, s := range node.Saved {
			if s.Tensor == id && !s.Freed {
				list = append(list, Holder{
					Tensor: id, Kind: HeldByNode, Node: n, Path: fmt.Sprintf("%s.%s", node.Name, s.Name), Since: node.Created, Seen: at, Until: -1,
				})
			}
		}
	}
	return list
}

// saversOf returns the nodes that saved a tensor, oldest first. The first question reads all nodes of the tape.
func (h *History) saversOf(id graph.TensorID) []graph.NodeID {
	if h.savers.of == nil {
		h.savers.of = map[graph.TensorID][]graph.NodeID{}
	}
	for ; int(h.savers.nodes)+1 < len(h.made); h.savers.nodes++ {
		n := h.savers.nodes + 1
		_, e, err := h.dec.ReadUntimed(h.NodeMade(n))
		made, ok := e.(*graph.NodeCreated)
		if err != nil || !ok {
			continue
		}
		for _, s := range made.Saved {
			if of := h.savers.of[s.Tensor]; s.Tensor != 0 && (len(of) == 0 || of[len(of)-1] != n) {
				h.savers.of[s.Tensor] = append(of, n)
			}
		}
	}
	return h.savers.of[id]
}

// savers are the nodes that saved each tensor, as far as they were asked for.
type savers struct {
	of    map[graph.TensorID][]graph.NodeID
	nodes graph.NodeID // the newest that was read
}

// found returns the places in which a tensor was found, as far as they are known to hold it at an event.
func (h *History) found(id graph.TensorID, at graph.Pos) (list []Holder) {
	for _, k := range h.holders {
		if k.Tensor == id && k.Since <= at && (k.Until < 0 || k.Until > at) {
			list = append(list, k)
		}
	}
	return list
}

// MadeAt returns the places of tensors that were made at a call stack, the ones that kept a tensor
// longest first.
func (h *History) MadeAt(s graph.StackID) (list []Holder) {
	for _, k := range h.holders {
		if k.made == s {
			list = append(list, k)
		}
	}
	slices.SortStableFunc(list, func(a, b Holder) int { return int(b.age - a.age) })
	return list
}

// kindOf tells variables from parts of what they hold.
func kindOf(path string) HolderKind {
	if words.FindString(path) == path {
		return HeldInVariable
	}
	return HeldInPart
}

// InContainer reports whether the place is an element of a list, tuple, dict or set, or a part of one.
func (k Holder) InContainer() bool { return strings.Contains(k.Path, "[") }

// Element reports whether the place is part of an object or a container, rather than a variable.
func (k Holder) Element() bool { return k.Kind == HeldInPart }

// Put returns the statements that put a tensor into a place, as far as the text of the program shows
// them, the likeliest first. A gradient was put there by its pass, and a saved tensor by the operation of its node.
func (h *History) Put(k Holder, label string) []Span {
	if k.Kind == HeldAsGrad || k.Kind == HeldByNode {
		return []Span{h.At(k.Since, label)}
	}
	steps := stepsOf(k.Path)
	for i, s := range slices.Backward(steps) {
		if len(steps) == 1 && !s.indexed {
			break // where it got its name is known
		}
		if spans := h.storing(k, s, i == 0, label); len(spans) > 0 {
			return spans
		}
	}
	return nil
}

// A step is a named part of a path.
type step struct {
	name    string
	indexed bool // its elements are meant
}

// Container returns the name of the variable or attribute that the place belongs to, as code mentions
// it: `.state` for model.state, `cache` for cache['h'].
func (k Holder) Container() string {
	steps := stepsOf(k.Path)
	switch n := len(steps); n {
	case 0:
		return ""
	case 1:
		return steps[0].name
	default:
		return "." + steps[n-1].name
	}
}

var pathParts = regexp.MustCompile(`\[(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^\]'"])*\]|\w+`)

// stepsOf splits a path.
func stepsOf(path string) (steps []step) {
	for _, part := range pathParts.FindAllString(path, -1) {
		if part[0] != '[' {
			steps = append(steps, step{name: part})
		} else if n := len(steps); n > 0 {
			steps[n-1].indexed = true
		}
	}
	return steps
}

// adding are the methods that put their argument into a container.
const adding = `(?:append|appendleft|add|insert|put|push|extend|extendleft|update|setdefault|__setitem__)`

// cutting is an expression whose value has no graph.
var cutting = regexp.MustCompile(`\.(?:item|detach|tolist|data)\b|\bfloat\(`)

// empty is the value of a container without elements.
var empty = regexp.MustCompile(`=\s*(?:\[\s*\]|\{\s*\}|\(\s*\)|None|(?:[\w.]+\.)?(?:list|dict|set|tuple|deque|defaultdict|OrderedDict)\([^)]*\))\s*;?\s*$`)

// storing returns the statements that put something into a variable, an attribute or its elements. The ones
// that only constructors make come last.
func (h *History) storing(k Holder, s step, root bool, label string) (spans []Span) {
	name := regexp.QuoteMeta(s.name)
	receiver := `(?:^|[^\w.])` + name
	if !root {
		receiver = `[\w\])]\.` + name
	}
	if s.indexed {
		index := `(?:\[[^\]]*\])`
		filling := receiver + index + `*\.` + adding + `\(|` + receiver + index + `+\s*=[^=]|` + receiver + index + `*\s*\+=`
		if spans := h.statements(k, s, root, regexp.MustCompile(filling), label); len(spans) > 0 {
			return spans
		}
	}
	assigning := receiver + `\s*(?::[^=]+)?=[^=]`
	if !root {
		assigning += `|\bsetattr\(`
	}
	return h.statements(k, s, root, regexp.MustCompile(assigning), label)
}

// statements returns the statements that match a pattern and may mean a step of a place.
func (h *History) statements(k Holder, s step, root bool, statement *regexp.Regexp, label string) (spans []Span) {
	maker := h.tape.Stack(k.made)
	var made, named, others, built []Span
	for _, file := range h.programFiles(0) {
		for i := range h.Source(file) {
			code := literal.ReplaceAllString(withoutComment(h.LineText(file, i+1)), `""`)
			if !strings.Contains(code, s.name) && !strings.Contains(code, "setattr(") || !statement.MatchString(code) ||
				cutting.MatchString(code) || empty.MatchString(code) {
				continue
			}
			making := slices.ContainsFunc(maker, func(f graph.Frame) bool { return f.File == file && f.Line == i+1 })
			if last, ran := h.lastRun(file, i+1); ran && !making && last < k.Seen-k.age {
				continue // it did not run after the tensor was made
			}
			around := h.definitions(file, i+1)
			if root && !h.visible(variable{s.name, file, k.Scope}, file, i+1) || !root && !h.ownedBy(k.Class, code, s.name, around, file) {
				continue
			}
			span := h.LineSpan(file, i+1, label)
			switch {
			case making:
				made = append(made, span)
			case len(around) > 0 && (around[0].name == "__init__" || around[0].class):
				built = append(built, span)
			case h.mentionsName(k.Tensor, code):
				named = append(named, span)
			default:
				others = append(others, span)
			}
		}
	}
	spans = slices.Concat(made, named, others)
	if root && !s.indexed {
		spans = append(spans, built...)
	}
	return spans
}

// A codeLine is a line of a file.
type codeLine struct {
	file string
	line int
}

// lastRuns are the last events at which lines were in call stacks, up to an event.
type lastRuns struct {
	at    graph.Pos
	lines map[codeLine]graph.Pos
}

// lastRun returns the last event at which a line was in a call stack; ok is false for a line that the tape
// does not mention.
func (h *History) lastRun(file string, line int) (last graph.Pos, ok bool) {
	if h.lastRan.lines == nil || h.lastRan.at != h.pos {
		h.lastRan = lastRuns{h.pos, map[codeLine]graph.Pos{}}
		for s, site := range h.callSites {
			at := graph.Pos(site.visits[len(site.visits)-1])
			for _, f := range h.tape.Stack(s) {
				k := codeLine{f.File, f.Line}
				h.lastRan.lines[k] = max(h.lastRan.lines[k], at)
			}
		}
	}
	last, ok = h.lastRan.lines[codeLine{file, line}]
	return last, ok
}

// farthest is how many functions a tensor is followed through from the call that hands it over.
const farthest = 4

// Handed returns the calls that hand a tensor to the function with a statement that puts it somewhere: the
// ones that mention the tensor by its name. numbers says that another call of one of these functions hands over
// something without a graph, as in `meter.update(accuracy.item())`.
func (h *History) Handed(k Holder, put Span, label string) (calls []Span, numbers bool) {
	lines := []codeLine{{put.File, put.Line}}
	seen := map[codeLine]bool{}
	for range farthest {
		var outer []codeLine
		for _, at := range lines {
			name, ok := h.takes(at)
			if !ok {
				continue
			}
			call := regexp.MustCompile(`(?:^|[^\w])` + regexp.QuoteMeta(name) + `\(.`)
			for _, file := range h.programFiles(0) {
				for i := range h.Source(file) {
					text := withoutComment(h.LineText(file, i+1))
					next := codeLine{file, i + 1}
					if !strings.Contains(text, name) || seen[next] || !call.MatchString(text) || defined.MatchString(text) {
						continue
					}
					seen[next] = true
					_, arguments, _ := strings.Cut(text, name+"(")
					switch {
					case cutting.MatchString(arguments):
						numbers = true
					case h.mentionsName(k.Tensor, literal.ReplaceAllString(arguments, `""`)):
						calls = append(calls, h.LineSpan(file, i+1, label))
					default:
						outer = append(outer, next)
					}
				}
			}
		}
		if len(calls) > 0 {
			return calls, numbers
		}
		lines = outer
	}
	return nil, numbers
}

// takes returns how the function around a line is called, if the line mentions one of its parameters: by its own
// name, or a constructor by the name of its class.
func (h *History) takes(at codeLine) (name string, ok bool) {
	around := h.definitions(at.file, at.line)
	if len(around) == 0 || around[0].class {
		return "", false
	}
	d := around[0]
	given := map[string]bool{} // parameters, and variables that got their values
	gives := func(code string) bool {
		return slices.ContainsFunc(words.FindAllString(code, -1), func(word string) bool {
			return given[word] || word != "self" && word != d.name && h.parameter(at.file, d, word)
		})
	}
	for n := d.first + 1; n < at.line; n++ {
		code := withoutComment(h.LineText(at.file, n))
		m := drawn.FindStringSubmatch(code)
		if m == nil {
			m = assignment.FindStringSubmatch(code)
		}
		if m != nil && gives(m[2]) {
			for _, word := range words.FindAllString(m[1], -1) {
				given[word] = true
			}
		}
	}
	mentioned := gives(withoutComment(h.LineText(at.file, at.line)))
	if name = d.name; name == "__init__" {
		name = d.owner
	}
	return name, mentioned && name != "" && !strings.HasPrefix(name, "__")
}

// drawn splits the head of a loop: `for k, v in values.items():`.
var drawn = regexp.MustCompile(`^\s*for\s+([\w\s,()]+?)\s+in\s+(.*):\s*$`)

// ownedBy reports whether an attribute that a statement sets can be of an object of a class: `self` is one in
// methods of the class and of the classes that it is made from.
func (h *History) ownedBy(class, code, attribute string, around []scope, file string) bool {
	if class == "" || !regexp.MustCompile(`\bself\.`+regexp.QuoteMeta(attribute)+`\b`).MatchString(code) {
		return true
	}
	return slices.ContainsFunc(around, func(d scope) bool {
		return d.class && (d.name == class || h.derived(class, d.name))
	})
}

// derived reports whether the header of a class names another one.
func (h *History) derived(class, from string) bool {
	header := regexp.MustCompile(`^\s*class\s+` + regexp.QuoteMeta(class) + `\b`)
	for _, file := range h.ProgramSources() {
		if n, ok := h.Find(file, 1, len(h.Source(file)), header); ok {
			return Mentions(h.LineText(file, n), from) || !strings.Contains(h.LineText(file, n), "(nn.Module)")
		}
	}
	return true
}

// mentionsName reports whether code mentions a tensor by one of its names.
func (h *History) mentionsName(id graph.TensorID, code string) bool {
	return slices.ContainsFunc(h.Tensor(id).Names, func(n Naming) bool { return Mentions(code, n.Name) })
}
