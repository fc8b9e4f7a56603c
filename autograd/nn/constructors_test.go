package nn_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"testing"

	"github.com/gradtui/gradtui/autograd/nn"
)

func TestEveryLayerHasAConstructor(t *testing.T) {
	files, err := filepath.Glob("constructors*.go")
	if err != nil {
		t.Fatal(err)
	}
	declared := map[string]bool{}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				declared[fn.Name.Name] = madeBy(fn) == fn.Name.Name
			}
		}
	}
	for _, class := range nn.Classes() {
		if !declared[class] {
			t.Errorf("no constructor makes %s", class)
		}
	}
}

// madeBy returns the class that a constructor passes to Make.
func madeBy(fn *ast.FuncDecl) string {
	name := ""
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && len(call.Args) > 0 {
			if lit, ok := call.Args[0].(*ast.BasicLit); ok {
				name = lit.Value[1 : len(lit.Value)-1]
			}
		}
		return true
	})
	return name
}
