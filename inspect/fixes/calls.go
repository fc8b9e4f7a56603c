package fixes

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gradtui/gradtui/inspect/internal/pysyntax"
)

var ofSeveral = regexp.MustCompile(`the sum of (\d+) gradients`)

// divideByNumber divides the loss of a micro-batch by their number.
func divideByNumber(s *scene) string {
	m := ofSeveral.FindStringSubmatch(s.f.Message)
	call := s.only(s.primary(), calls("backward"))
	if m == nil || call == nil {
		return ""
	}
	of, _ := call.Method()
	if of == nil {
		return ""
	}
	if of.Form == pysyntax.Paren {
		s.insert(of.Start, "(")
		s.insert(of.End, " / "+m[1]+")")
	} else {
		s.edits = append(s.edits, edit{of.Start, of.End, "(" + s.text(of) + " / " + m[1] + ")"})
	}
	return "divide the loss by the number of micro-batches"
}

// keepDim keeps the dimension of a reduction.
func keepDim(s *scene) string {
	if !strings.Contains(s.f.Help, "keepdim=True") {
		return ""
	}
	call := s.only(s.primary(), func(e *pysyntax.Expr) bool {
		if !calls("sum", "mean", "norm", "std", "var", "logsumexp", "prod", "amax", "amin")(e) {
			return false
		}
		_, has := e.Arg("keepdim")
		_, dim := e.Arg("dim")
		return !has && (dim || len(e.Args) > 0)
	})
	if call == nil {
		return ""
	}
	s.addArgument(call, "keepdim=True")
	return "keep the dimension of the reduction"
}

var column = regexp.MustCompile(`^shapes \[\d+, 1\] and \[\d+\] are broadcast`)

// squeezeColumn takes the last dimension off the operand that has one of size 1.
func squeezeColumn(s *scene) string {
	st := s.primary()
	if st == nil || !column.MatchString(s.f.Message) {
		return ""
	}
	shapes := map[string]string{} // of the tensors that the finding names
	n := 0
	for _, r := range s.f.Related {
		if shape, ok := strings.CutPrefix(r.Label, "has shape "); ok && n < len(s.f.Tensors) {
			shapes[strings.Trim(s.f.Tensors[n], "`")] = shape
			n++
		}
	}
	if n != len(s.f.Tensors) || n == 0 {
		return ""
	}
	// flat and col say what is known of an operand: the tensor that it is, perhaps with methods that keep the shape.
	of := func(e *pysyntax.Expr) string {
		e = e.Bare()
		for {
			if x, m := e.Method(); slices.Contains([]string{"detach", "float", "clone", "double", "contiguous"}, m) {
				e = x
				continue
			}
			break
		}
		return shapes[e.Dotted()]
	}
	var operands []*pysyntax.Expr // the one with a column
	st.Each(func(e *pysyntax.Expr) {
		var a, b *pysyntax.Expr
		switch {
		case e.Form == pysyntax.Binary && slices.Contains([]string{"-", "+", "*", "/"}, e.Text):
			a, b = e.X, e.Y
		case e.Form == pysyntax.Call && len(e.Args) >= 2 && (strings.HasSuffix(called(e), "_loss") || s.criterion(e)):
			a, b = positional(e, 0, "input"), positional(e, 1, "target")
		}
		if a == nil || b == nil {
			return
		}
		isColumn := func(shape string) bool { return strings.HasSuffix(shape, ", 1]") }
		switch sa, sb := of(a), of(b); {
		case isColumn(sa) && !isColumn(sb):
			operands = append(operands, a)
		case isColumn(sb) && !isColumn(sa):
			operands = append(operands, b)
		case sa == "" && sb != "":
			operands = append(operands, a)
		case sb == "" && sa != "":
			operands = append(operands, b)
		}
	})
	if len(operands) != 1 {
		return ""
	}
	s.attach(operands[0], ".squeeze(-1)")
	return "give both the same shape"
}

// criterion reports whether a call is of a loss module that the file makes.
func (s *scene) criterion(call *pysyntax.Expr) bool {
	st := s.maker(call.X.Dotted())
	return st != nil && strings.HasSuffix(called(st.Value), "Loss")
}

// maker is the one statement that assigns the result of a call to a name; nil if there is no such one.
func (s *scene) maker(name string) (found *pysyntax.Stmt) {
	if name == "" {
		return nil
	}
	for _, st := range s.file.All {
		if st.Op == "=" && len(st.Targets) == 1 && st.Targets[0].Dotted() == name {
			if found != nil || st.Value.Form != pysyntax.Call {
				return nil
			}
			found = st
		}
	}
	return found
}

var numberOfGradients = regexp.MustCompile(`incorrect number of gradients \(expected (\d+), got (\d+)\)`)

// gradientPerArgument returns None for the arguments that need no gradient.
func gradientPerArgument(s *scene) string {
	st := s.primary()
	m := numberOfGradients.FindStringSubmatch(s.f.Message)
	if st == nil || m == nil || st.Keyword != "return" || st.Value == nil || st.Value.Form == pysyntax.Paren && st.Value.X.Form == pysyntax.Tuple {
		return ""
	}
	want, _ := strconv.Atoi(m[1])
	got, _ := strconv.Atoi(m[2])
	if want <= got || want > got+8 {
		return ""
	}
	s.insert(st.Value.End, strings.Repeat(", None", want-got))
	return "return one gradient per argument of forward"
}

// passTraining lets dropout know the mode of its module.
func passTraining(s *scene) string {
	st := s.primary()
	call := s.only(st, calls("dropout", "dropout2d", "dropout3d", "alpha_dropout", "feature_alpha_dropout"))
	if call == nil {
		return ""
	}
	if _, has := call.Arg("training"); has || len(call.Args) > 2 {
		return ""
	}
	def := function(st)
	if def == nil || len(def.Params) == 0 || def.Params[0].Name != "self" || def.Parent == nil || def.Parent.Keyword != "class" {
		return ""
	}
	s.addArgument(call, "training=self.training")
	return "let dropout follow the mode of the module"
}

var reshaped = regexp.MustCompile(`is reshaped from \[([\d, ]+)\] to \[([\d, ]+)\], which does not exchange`)

// transposeInstead exchanges two dimensions where a reshape cannot.
func transposeInstead(s *scene) string {
	m := reshaped.FindStringSubmatch(s.f.Message)
	call := s.only(s.primary(), calls("view", "reshape"))
	if m == nil || call == nil {
		return ""
	}
	from, to := strings.Split(m[1], ", "), strings.Split(m[2], ", ")
	if len(from) != len(to) {
		return ""
	}
	var moved []int
	for i := range from {
		if slices.Index(from, from[i]) != i {
			return "" // two dimensions of one size
		}
		if from[i] != to[i] {
			moved = append(moved, i)
		}
	}
	if len(moved) != 2 || from[moved[0]] != to[moved[1]] || from[moved[1]] != to[moved[0]] {
		return ""
	}
	of, _ := call.Method()
	if of == nil || strings.HasPrefix(s.text(call.X), "torch.") {
		return ""
	}
	s.edits = append(s.edits, edit{of.End, call.End, fmt.Sprintf(".transpose(%d, %d).contiguous()", moved[0], moved[1])})
	return "exchange the dimensions"
}

// createGraph records how gradients are computed that are part of a loss.
func createGraph(s *scene) string {
	call := s.only(s.primary(), calls("grad", "backward"))
	if call == nil {
		return ""
	}
	s.setKeyword(call, "create_graph", "True")
	return "record how the gradient is computed"
}

// retainGraph keeps the graph that a second pass needs.
func retainGraph(s *scene) string {
	if !strings.Contains(s.f.Help, "pass retain_graph=True to the first call") {
		return ""
	}
	call := s.only(s.primary(), calls("grad", "backward"))
	if call == nil {
		return ""
	}
	s.setKeyword(call, "retain_graph", "True")
	return "keep the graph for the second pass"
}

// reduceLoss reduces what a backward pass starts from, where it is made: the program may use it as a number.
func reduceLoss(s *scene) string {
	st := s.primary()
	if st == nil || st.Value == nil || st.Value.Form == pysyntax.Tuple || st.Value.Form == pysyntax.List {
		return ""
	}
	if st.Keyword != "return" && (st.Op != "=" || len(st.Targets) != 1 || st.Targets[0].Dotted() == "") {
		return ""
	}
	s.attach(st.Value, ".mean()")
	return "start from a scalar"
}

// functions are what functions of PyTorch are called on, rather than tensors.
var functions = []string{"torch", "F", "nn.functional", "torch.nn.functional", "functional"}

// argument is what a call of a function, or of a method of the same name, works on.
func argument(call *pysyntax.Expr) *pysyntax.Expr {
	of, _ := call.Method()
	if of != nil && !slices.Contains(functions, of.Dotted()) {
		return of
	}
	return positional(call, 0, "input")
}

// dropActivation gives a loss the scores that it expects.
func dropActivation(s *scene) string {
	st := s.primary()
	if st == nil {
		return ""
	}
	const title = "leave out what the loss does itself"
	if call := s.only(st, calls("softmax", "log_softmax", "sigmoid")); call != nil && call.X.Dotted() != "self."+called(call) {
		x := argument(call)
		if x == nil {
			return ""
		}
		s.replace(call, s.operand(x, pysyntax.Tightest))
		return title
	}
	layers := []string{"Softmax", "LogSoftmax", "Sigmoid"}
	var args []pysyntax.Arg
	index := -1
	st.Each(func(e *pysyntax.Expr) {
		if called(e) == "Sequential" {
			for i, a := range e.Args {
				if slices.Contains(layers, called(a.Value)) {
					args, index = e.Args, i
				}
			}
		}
	})
	if index > 0 && index == len(args)-1 {
		s.dropElement(args, index)
		return title
	}
	call := s.only(st, func(e *pysyntax.Expr) bool {
		if e.Form != pysyntax.Call || len(e.Args) != 1 || e.Args[0].Name != "" {
			return false
		}
		made := s.maker(e.X.Dotted())
		return made != nil && slices.Contains(layers, called(made.Value))
	})
	if call == nil {
		return ""
	}
	s.replace(call, s.operand(call.Args[0].Value, pysyntax.Tightest))
	return title
}

var dimension = regexp.MustCompile(`\bdim=(-?\d+)`)

// lastDim normalizes over the choices of one example.
func lastDim(s *scene) string {
	m := dimension.FindStringSubmatch(s.f.Help)
	call := s.only(s.primary(), calls("softmax", "log_softmax", "gumbel_softmax", "Softmax", "LogSoftmax"))
	if m == nil || call == nil || strings.Contains(s.f.Message, ", 1]") {
		return ""
	}
	if a, ok := call.Arg("dim"); ok {
		s.replace(a.Value, m[1])
		return "normalize over the choices of one example"
	}
	at := 1 // the position of dim
	if of, _ := call.Method(); of != nil && !slices.Contains(functions, of.Dotted()) || strings.HasSuffix(called(call), "Softmax") {
		at = 0
	}
	if called(call) == "gumbel_softmax" {
		at = 4
	}
	if dim := positional(call, at, "dim"); dim != nil {
		s.replace(dim, m[1])
	} else {
		s.addArgument(call, "dim="+m[1])
	}
	return "normalize over the choices of one example"
}

// otherLoss takes the loss for raw scores.
func otherLoss(s *scene) string {
	if !strings.Contains(s.f.Message, "scores that are not normalised") || !strings.HasPrefix(s.f.Message, "nll_loss") {
		return ""
	}
	st := s.primary()
	if call := s.only(st, calls("nll_loss")); call != nil {
		s.edits = append(s.edits, edit{call.X.End - len("nll_loss"), call.X.End, "cross_entropy"})
		return "use the loss for raw scores"
	}
	call := s.only(st, func(e *pysyntax.Expr) bool {
		made := s.maker(dottedCall(e))
		return made != nil && called(made.Value) == "NLLLoss"
	})
	if call == nil {
		return ""
	}
	loss := s.maker(dottedCall(call)).Value.X
	s.edits = append(s.edits, edit{loss.End - len("NLLLoss"), loss.End, "CrossEntropyLoss"})
	return "use the loss for raw scores"
}

func dottedCall(e *pysyntax.Expr) string {
	if e.Form != pysyntax.Call {
		return ""
	}
	return e.X.Dotted()
}

// dropNoGrad removes a decorator that switches grad mode off.
func dropNoGrad(s *scene) string {
	st := s.span(s.f.Primary)
	if st == nil || !st.First || !st.Last {
		return ""
	}
	text := s.file.Text[st.Start:st.End]
	if !strings.HasPrefix(text, "@") || !strings.HasSuffix(text, "no_grad()") && !strings.HasSuffix(text, "inference_mode()") {
		return ""
	}
	s.edits = append(s.edits, edit{s.lineStart(st.Start), s.lineEnd(st.End) + len(s.eol()), ""})
	return "record what the function computes"
}
