package pytorch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/gradtui/gradtui/autograd"
)

// TestErrorsHaveTheCodesOfTheBuiltInEngine looks at the texts with which package autograd
// makes its errors, which are PyTorch's.
func TestErrorsHaveTheCodesOfTheBuiltInEngine(t *testing.T) {
	known := map[autograd.Code]bool{}
	for _, c := range errorCodes {
		known[c.code] = true
	}
	checked := 0
	for _, f := range builtInErrors(t) {
		want := codeNames[f.code]
		if !known[want] {
			want = ""
		}
		if got := errorCode(f.text); got != want && !vague[f.text] {
			t.Errorf("%q has the code %q, not %q", f.text, got, want)
		}
		checked++
	}
	if checked < 100 {
		t.Errorf("only %d texts were found", checked)
	}
}

// vague are texts that do not say what they are about.
var vague = map[string]bool{
	"0 returned no tensor": true,
	"Expected a proper Tensor but got None (or an undefined Tensor in C++) for argument #1 'src'":                                     true,
	"The function 'native_batch_norm' is not differentiable with respect to argument '0'. This input cannot have requires_grad True.": true,
}

// codeNames are the codes of package autograd by the names of their constants.
var codeNames = map[string]autograd.Code{}

// A builtInError is a call of fail in package autograd, with 0 for each number and x for
// each text.
type builtInError struct{ code, text string }

var verbs = regexp.MustCompile(`%[-+.0-9#]*[a-zA-Z]`)

func builtInErrors(t *testing.T) (found []builtInError) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "..", "autograd", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	constants := map[string]string{}
	var calls []*ast.CallExpr
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ValueSpec:
				for i, name := range n.Names {
					if i < len(n.Values) {
						if text, ok := literal(n.Values[i], nil); ok {
							constants[name.Name] = text
						}
					}
				}
			case *ast.CallExpr:
				if f, ok := n.Fun.(*ast.Ident); ok && f.Name == "fail" && len(n.Args) >= 3 {
					calls = append(calls, n)
				}
			}
			return true
		})
	}
	for name, text := range constants {
		if strings.HasPrefix(name, "Code") {
			codeNames[name] = autograd.Code(text)
		}
	}
	for _, call := range calls {
		code, ok := call.Args[1].(*ast.Ident)
		text, known := literal(call.Args[2], constants)
		if !ok || !known || verbs.ReplaceAllString(text, "") == "" {
			continue // it is put together elsewhere
		}
		if len(call.Args) > 3 {
			text = verbs.ReplaceAllString(text, "0")
		}
		found = append(found, builtInError{code.Name, text})
	}
	return found
}

// literal is the text of an expression of literals and constants.
func literal(e ast.Expr, constants map[string]string) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil && e.Kind == token.STRING
	case *ast.Ident:
		text, ok := constants[e.Name]
		return text, ok
	case *ast.BinaryExpr:
		x, ok1 := literal(e.X, constants)
		y, ok2 := literal(e.Y, constants)
		return x + y, ok1 && ok2
	}
	return "", false
}
