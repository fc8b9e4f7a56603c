package gosource

import (
	"go/ast"
	"go/token"
)

// describe finds out what can be known about the results of a function.
func describe(t *ast.FuncType, body *ast.BlockStmt) *function {
	if t.Results.NumFields() == 0 {
		return &function{arity: -1}
	}
	fn := &function{arity: t.Results.NumFields()}
	s := survey(body)
	if s.defers && len(t.Results.List[0].Names) > 0 {
		return &function{arity: -1} // a deferred function can change the results
	}
	if len(s.returns) != 1 {
		return fn
	}
	for i, e := range s.returns[0].Results {
		name, ok := e.(*ast.Ident)
		if !ok || s.writes[name.Name] != 1 {
			continue
		}
		if stmt := assignmentOf(body, name.Name); stmt != nil {
			fn.variable, fn.assigned, fn.position = name.Name, stmt, i
			break
		}
	}
	return fn
}

// A bodySurvey is what a function body does, closures included but for their
// return statements.
type bodySurvey struct {
	returns []*ast.ReturnStmt
	writes  map[string]int // how often a variable of that name gets a value or its address is taken
	defers  bool
}

func survey(body *ast.BlockStmt) *bodySurvey {
	s := &bodySurvey{writes: map[string]int{}}
	s.read(body, false)
	return s
}

func (s *bodySurvey) read(n ast.Node, closure bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			s.read(n.Body, true)
			return false
		case *ast.ReturnStmt:
			if !closure {
				s.returns = append(s.returns, n)
			}
		case *ast.DeferStmt:
			s.defers = true
		case *ast.AssignStmt:
			s.write(n.Lhs...)
		case *ast.RangeStmt:
			s.write(n.Key, n.Value)
		case *ast.ValueSpec:
			for _, name := range n.Names {
				s.writes[name.Name]++
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				s.write(n.X)
			}
		}
		return true
	})
}

func (s *bodySurvey) write(targets ...ast.Expr) {
	for _, t := range targets {
		if t == nil {
			continue
		}
		if name, ok := ast.Unparen(t).(*ast.Ident); ok {
			s.writes[name.Name]++
		}
	}
}

// assignmentOf finds the statement, not inside any other, that defines a variable
// by calls.
func assignmentOf(body *ast.BlockStmt, name string) ast.Stmt {
	for _, stmt := range body.List {
		a, ok := stmt.(*ast.AssignStmt)
		if !ok || a.Tok != token.DEFINE {
			continue
		}
		for _, l := range a.Lhs {
			if id, ok := l.(*ast.Ident); ok && id.Name == name {
				return a
			}
		}
	}
	return nil
}
