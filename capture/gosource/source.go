package gosource

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// A source is what a file says about names: the lines with calls.
type source map[place]*line

// A place is a line, by its number, inside a number of function literals: a line
// can be part of two functions.
type place struct{ line, literals int }

// A line holds the calls of a function whose opening parenthesis is on it, which is the line
// that the Go runtime reports for a call.
type line struct {
	calls   map[string]int // how many there are of each name
	results []*result      // the calls whose results go to variables or are returned
}

// A result is a call whose results are used by a statement: assigned or returned.
type result struct {
	call    string
	values  []value
	returns bool // the statement is a return
	arity   int  // how many results the function has, if a value is one of them
	// alone says that the line has no other call but those that made the value
	// whose method this is: nn.MSELoss().Forward(y, target).
	alone bool
	// forwards is the number of calls of Forward that this one is made of, itself
	// included: two in criterion.Forward(net.Forward(x), y).
	forwards int
}

// assignsReturned reports whether one of the variables is returned later.
func (r *result) assignsReturned() bool {
	return !r.returns && slices.ContainsFunc(r.values, func(v value) bool { return v.position >= 0 })
}

// A value is one result of a call.
type value struct {
	name string // of the variable that gets it, "" if it has none
	// position is the place among the results of the function that it is
	// returned at, or -1.
	position int
}

// match is the name of the call on the line that an operator belongs to:
// log_softmax to LogSoftmax, max to MaxDim. It is "" if there is none.
func (l *line) match(op string) string {
	name := canonical(op)
	for _, overload := range overloads {
		if l.calls[name+overload] > 0 {
			return name + overload
		}
	}
	return ""
}

// overloads are the endings of methods for one overload of an operator.
var overloads = []string{"", "scalar", "dim"}

// canonical writes the names of operators and methods alike. The underscore of
// in-place operators stays.
func canonical(name string) string {
	inPlace := strings.HasSuffix(name, "_")
	name = strings.ToLower(strings.ReplaceAll(name, "_", ""))
	if inPlace {
		name += "_"
	}
	return name
}

// parse finds the calls in a source file and where their results go. A file with
// a syntax error is not the one that was compiled, and in a file with line
// directives the numbers of lines mean something else: they give nothing.
func parse(text []byte) source {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil || hasLineDirective(f) {
		return nil
	}
	r := &reader{fset: fset, nn: importName(f, nnPath), source: source{}, places: map[*ast.CallExpr]place{}, results: map[*ast.CallExpr]*result{}}
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			r.function(fn.Type, fn.Body, 0)
		} else {
			r.walk(d, &function{arity: -1})
		}
	}
	for c, res := range r.results {
		at := r.places[c]
		others := -1
		for _, n := range r.source[at].calls {
			others += n
		}
		for inner, ok := receiver(c); ok; inner, ok = receiver(inner) {
			if r.places[inner] == at && !quiet[r.callee(inner)] {
				others--
			}
		}
		res.alone = others == 0
		res.forwards = r.forwards(c)
	}
	return r.source
}

// forwards counts the calls of Forward in an expression that are on its line.
func (r *reader) forwards(c *ast.CallExpr) (n int) {
	ast.Inspect(c, func(inner ast.Node) bool {
		call, ok := inner.(*ast.CallExpr)
		if ok && r.places[call] == r.places[c] && canonical(r.callee(call)) == "forward" {
			n++
		}
		return true
	})
	return n
}

func hasLineDirective(f *ast.File) bool {
	for _, g := range f.Comments {
		for _, c := range g.List {
			if strings.HasPrefix(c.Text, "//line ") || strings.HasPrefix(c.Text, "/*line ") {
				return true
			}
		}
	}
	return false
}

// A reader collects the calls of a file.
type reader struct {
	fset    *token.FileSet
	nn      string // what the file calls package nn, "" if it does not import it
	source  source
	places  map[*ast.CallExpr]place // of the calls that are counted
	results map[*ast.CallExpr]*result
}

// A function is what matters of the function around a statement.
type function struct {
	literals int // how many function literals are around it, itself included
	arity    int // of its results; -1 if what it returns cannot be followed
	// The variable which is assigned in one place only, at the top of the body,
	// and returned by the only return statement; position is its place there.
	variable string
	assigned ast.Stmt
	position int
}

// function reads the body of a function.
func (r *reader) function(t *ast.FuncType, body *ast.BlockStmt, literals int) {
	if body != nil {
		fn := describe(t, body)
		fn.literals = literals
		r.walk(body, fn)
	}
}

// walk reads the statements below a node that are inside the function fn.
func (r *reader) walk(n ast.Node, fn *function) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			r.function(n.Type, n.Body, fn.literals+1)
			return false
		case *ast.CallExpr:
			r.count(n, fn)
		case *ast.AssignStmt:
			r.assign(n, n.Lhs, n.Rhs, fn)
		case *ast.ValueSpec:
			lhs := make([]ast.Expr, len(n.Names))
			for i, name := range n.Names {
				lhs[i] = name
			}
			r.assign(nil, lhs, n.Values, fn)
		case *ast.ReturnStmt:
			r.returned(n, fn)
		}
		return true
	})
}

// count notes a call on its line.
func (r *reader) count(c *ast.CallExpr, fn *function) *line {
	at, known := r.places[c]
	if !known {
		at = place{r.fset.PositionFor(c.Lparen, false).Line, fn.literals}
		r.places[c] = at
	}
	l := r.source[at]
	if l == nil {
		l = &line{calls: map[string]int{}}
		r.source[at] = l
	}
	if name := r.callee(c); !known && !quiet[name] {
		l.calls[canonical(name)]++
	}
	return l
}

// result notes a call whose results a statement uses.
func (r *reader) result(c *ast.CallExpr, res *result, fn *function) {
	for transparent[r.callee(c)] {
		inner, ok := receiver(c)
		if !ok {
			return
		}
		r.count(c, fn)
		c = inner
	}
	res.call = canonical(r.callee(c))
	r.results[c] = res
	l := r.count(c, fn)
	l.results = append(l.results, res)
}

// assign reads an assignment or a declaration with values.
func (r *reader) assign(s ast.Stmt, lhs, rhs []ast.Expr, fn *function) {
	for i, e := range rhs {
		c, ok := ast.Unparen(e).(*ast.CallExpr)
		if !ok {
			continue
		}
		targets := lhs
		if len(rhs) > 1 {
			if i >= len(lhs) {
				return
			}
			targets = lhs[i : i+1]
		}
		res := &result{arity: fn.arity}
		for _, t := range targets {
			v := value{exprName(t), -1}
			if s != nil && s == fn.assigned && v.name == fn.variable {
				v.position = fn.position
			}
			res.values = append(res.values, v)
		}
		r.result(c, res, fn)
	}
}

// returned reads a return statement.
func (r *reader) returned(s *ast.ReturnStmt, fn *function) {
	if fn.arity < 0 {
		return
	}
	for i, e := range s.Results {
		c, ok := ast.Unparen(e).(*ast.CallExpr)
		if !ok {
			continue
		}
		res := &result{returns: true, arity: fn.arity, values: []value{{"", i}}}
		if len(s.Results) == 1 {
			res.values = nil
			for i := range fn.arity {
				res.values = append(res.values, value{"", i})
			}
		}
		r.result(c, res, fn)
	}
}

// receiver is the call that a method is called on: x.Mul(y) of
// x.Mul(y).SetName("z").
func receiver(c *ast.CallExpr) (*ast.CallExpr, bool) {
	sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil, false
	}
	inner, ok := ast.Unparen(sel.X).(*ast.CallExpr)
	return inner, ok
}

// nnPath is the package whose functions have the names of operators and make
// modules.
const nnPath = "github.com/gradtui/gradtui/autograd/nn"

// importName is what a file calls a package, "" if it does not import it.
func importName(f *ast.File, path string) string {
	for _, s := range f.Imports {
		if s.Path.Value != strconv.Quote(path) {
			continue
		}
		if s.Name != nil {
			return s.Name.Name
		}
		return path[strings.LastIndex(path, "/")+1:]
	}
	return ""
}

// callee is the name of the function or method that is called last: x.Mul(y).Sum()
// calls Sum. nn.Linear, which makes a module, is not taken for x.Linear.
func (r *reader) callee(c *ast.CallExpr) string {
	fn := ast.Unparen(c.Fun)
	switch generic := fn.(type) {
	case *ast.IndexExpr:
		fn = generic.X
	case *ast.IndexListExpr:
		fn = generic.X
	}
	switch fn := fn.(type) {
	case *ast.Ident:
		return fn.Name
	case *ast.SelectorExpr:
		if pkg, ok := fn.X.(*ast.Ident); ok && r.nn != "" && pkg.Name == r.nn {
			return "nn." + fn.Sel.Name
		}
		return fn.Sel.Name
	}
	return ""
}

// exprName writes the target of an assignment: w, m.weight, layers[2]. It is ""
// for targets without a name to speak of.
func exprName(e ast.Expr) string {
	var inner, suffix string
	switch e := e.(type) {
	case *ast.Ident:
		if e.Name == "_" {
			return ""
		}
		return e.Name
	case *ast.SelectorExpr:
		inner, suffix = exprName(e.X), "."+e.Sel.Name
	case *ast.IndexExpr:
		inner = exprName(e.X)
		switch index := e.Index.(type) {
		case *ast.BasicLit:
			suffix = "[" + index.Value + "]"
		case *ast.Ident:
			suffix = "[" + index.Name + "]"
		default:
			return ""
		}
	case *ast.StarExpr:
		return exprName(e.X)
	case *ast.ParenExpr:
		return exprName(e.X)
	}
	if inner == "" {
		return ""
	}
	return inner + suffix
}
