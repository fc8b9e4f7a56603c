// Package gosource finds the names that a Go program gives to its tensors. At
// run time a Go program does not know the names of its variables, but the tape
// knows the line of each operation: the assignment around it has the name.
package gosource

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strings"

	"github.com/gradtui/gradtui/graph"
)

// A Binder names the tensors of a tape as its events appear.
type Binder struct {
	// Read returns the text of a source file. The default is os.ReadFile; a
	// file that cannot be read gives no names.
	Read func(path string) ([]byte, error)

	tape    *graph.Tape
	files   map[string]*source
	pending []candidate // outermost call first
}

// NewBinder returns a binder for a tape.
func NewBinder(t *graph.Tape) *Binder {
	return &Binder{Read: os.ReadFile, tape: t, files: map[string]*source{}}
}

// A source is what a file says about names.
type source struct {
	assignments []assignment
	// tensors tells of the functions of the file which return a tensor and
	// nothing else.
	tensors map[string]bool
}

// An assignment gives names to the results of a call.
type assignment struct {
	first, last int // lines
	call        string
	names       []string
}

// A candidate is a call that is on the stack and whose result has a name: the
// tensor made last when the call returns.
type candidate struct {
	depth  int // of the frame that makes the call, counted from the outermost
	frame  graph.Frame
	name   string
	header graph.Header
	tensor graph.TensorID
}

// Event looks at an event that was appended to the tape and, if it made a tensor
// that an assignment names, appends NameBound. It has the signature of
// graph.Importer's OnEvent.
func (b *Binder) Event(_ graph.Pos, h graph.Header, e graph.Event) {
	switch e := e.(type) {
	case *graph.OpRan:
		if len(e.Outputs) > 0 {
			b.made(h, b.tape.String(e.Op), e.Outputs)
		}
	case *graph.TensorCreated:
		const other = graph.FlagNumber | graph.FlagExisting | graph.FlagGradient
		if e.Node == 0 && e.Base == 0 && e.Flags&other == 0 {
			b.made(h, "", []graph.TensorID{e.Tensor})
		}
	default:
		b.settle(b.tape.Stack(h.Stack))
	}
}

// Close binds the names that are still open.
func (b *Binder) Close() { b.settle(nil) }

func (b *Binder) made(h graph.Header, op string, outputs []graph.TensorID) {
	stack := b.tape.Stack(h.Stack)
	b.settle(stack)
	for i := range stack {
		src := b.source(stack[i].File)
		if src == nil {
			continue
		}
		a := src.at(stack[i].Line)
		switch {
		case a == nil:
		case i == 0 && a.makes(op):
			for j, name := range a.names {
				if j < len(outputs) {
					b.bind(h, name, stack[0].Func, outputs[j])
				}
			}
		case op != "" && b.returnsTensor(a, stack, i):
			b.await(candidate{len(stack) - i, stack[i], a.names[0], h, outputs[0]})
		}
	}
}

// at is the innermost assignment around a line.
func (s *source) at(line int) *assignment {
	var found *assignment
	for i := range s.assignments {
		a := &s.assignments[i]
		if a.first <= line && line <= a.last && (found == nil || a.last-a.first <= found.last-found.first) {
			found = a
		}
	}
	return found
}

// returnsTensor reports whether the call of an assignment at frame i of the
// stack is the one that the stack is inside of, and gives one tensor.
func (b *Binder) returnsTensor(a *assignment, stack graph.Stack, i int) bool {
	if len(a.names) != 1 {
		return false
	}
	if i == 0 {
		// The call went into the engine, whose frames are not recorded.
		return a.call == "Forward" || a.call == "Call"
	}
	callee := stack[i-1]
	name := callee.Func[strings.LastIndexByte(callee.Func, '.')+1:]
	src := b.source(callee.File)
	return name == a.call && src != nil && src.tensors[name]
}

// await notes the newest tensor made inside a call.
func (b *Binder) await(c candidate) {
	for i := range b.pending {
		if p := &b.pending[i]; p.depth == c.depth && p.frame == c.frame {
			p.tensor, p.header = c.tensor, c.header
			return
		}
	}
	b.pending = append(b.pending, c)
}

// settle binds the names of the calls that the program has returned from.
func (b *Binder) settle(stack graph.Stack) {
	open := b.pending[:0]
	for _, c := range b.pending {
		i := len(stack) - c.depth
		if i >= 0 && stack[i] == c.frame {
			open = append(open, c)
		} else {
			b.bind(c.header, c.name, c.frame.Func, c.tensor)
		}
	}
	b.pending = open
}

func (b *Binder) bind(h graph.Header, name, scope string, t graph.TensorID) {
	if name != "_" {
		b.tape.Append(h, &graph.NameBound{Name: b.tape.InternString(name), Scope: b.tape.InternString(scope), Tensor: t})
	}
}

// constructors are the functions of package autograd that make a tensor without
// running an operator.
var constructors = map[string]bool{
	"New": true, "NewParameter": true, "FromFloat32s": true, "FromFloat64s": true, "FromInt64s": true, "MakeDual": true,
}

// makes reports whether the call of the assignment is the operator: log_softmax
// is called LogSoftmax.
func (a *assignment) makes(op string) bool {
	if op == "" {
		return constructors[a.call]
	}
	return strings.EqualFold(a.call, strings.ReplaceAll(op, "_", "")) ||
		strings.EqualFold(a.call, strings.TrimSuffix(strings.ReplaceAll(op, "_", ""), "_"))
}

func (b *Binder) source(file string) *source {
	if !strings.HasSuffix(file, ".go") {
		return nil
	}
	src, ok := b.files[file]
	if !ok {
		if text, err := b.Read(file); err == nil {
			src = parse(text)
		}
		b.files[file] = src
	}
	return src
}

// parse finds the assignments in a source file whose right side is a call, and
// the functions that return a tensor.
func parse(text []byte) *source {
	fset := token.NewFileSet()
	f, _ := parser.ParseFile(fset, "", text, parser.SkipObjectResolution)
	if f == nil {
		return nil
	}
	src := &source{tensors: map[string]bool{}}
	add := func(n ast.Node, lhs []ast.Expr, rhs ast.Expr) {
		call, ok := ast.Unparen(rhs).(*ast.CallExpr)
		if !ok {
			return
		}
		a := assignment{first: fset.Position(n.Pos()).Line, last: fset.Position(n.End()).Line, call: callee(call)}
		for _, l := range lhs {
			a.names = append(a.names, exprName(l))
		}
		src.assignments = append(src.assignments, a)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			src.tensors[n.Name.Name] = returnsOneTensor(n.Type)
		case *ast.AssignStmt:
			if len(n.Rhs) == 1 {
				add(n, n.Lhs, n.Rhs[0])
				break
			}
			for i := range n.Rhs {
				add(n, n.Lhs[i:i+1], n.Rhs[i])
			}
		case *ast.ValueSpec:
			for i, v := range n.Values {
				if i < len(n.Names) {
					add(n, []ast.Expr{n.Names[i]}, v)
				}
			}
		}
		return true
	})
	return src
}

// returnsOneTensor goes by the name of the type: *autograd.Tensor, whatever the
// package is imported as.
func returnsOneTensor(fn *ast.FuncType) bool {
	if fn.Results == nil || len(fn.Results.List) != 1 || len(fn.Results.List[0].Names) > 1 {
		return false
	}
	star, ok := fn.Results.List[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	sel, ok := star.X.(*ast.SelectorExpr)
	return ok && sel.Sel.Name == "Tensor"
}

// callee is the name of the function or method that is called last:
// x.Mul(y).Sum() calls Sum. Methods that return their receiver are looked
// through.
func callee(call *ast.CallExpr) string {
	switch fn := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		return fn.Name
	case *ast.SelectorExpr:
		if inner, ok := ast.Unparen(fn.X).(*ast.CallExpr); ok && transparent[fn.Sel.Name] {
			return callee(inner)
		}
		return fn.Sel.Name
	}
	return ""
}

var transparent = map[string]bool{"SetName": true, "RequiresGrad_": true}

// exprName writes the target of an assignment: w, m.weight, layers[2].
func exprName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return exprName(e.X) + "." + e.Sel.Name
	case *ast.IndexExpr:
		if lit, ok := e.Index.(*ast.BasicLit); ok {
			return exprName(e.X) + "[" + lit.Value + "]"
		}
		if id, ok := e.Index.(*ast.Ident); ok {
			return exprName(e.X) + "[" + id.Name + "]"
		}
	case *ast.StarExpr:
		return exprName(e.X)
	case *ast.ParenExpr:
		return exprName(e.X)
	}
	return "_"
}
