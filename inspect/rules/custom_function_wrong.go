package rules

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

var customFunctionWrong = inspect.Rule{
	Code:     "custom-function-wrong",
	Severity: inspect.SeverityError,
	Title:    "A custom autograd.Function breaks the contract of its forward or backward method.",
	Watch: func(check *inspect.Checker) inspect.Observer {
		return &customFunctions{failures{check: check, cause: brokenFunction, report: reportFunction}}
	},
}

// customFunctions reports errors of custom Functions, and what is wrong with them
// without an error.
type customFunctions struct{ failures }

func (w *customFunctions) End() {
	w.failures.End()
	for _, r := range w.check.Raised() {
		inBackward := slices.ContainsFunc(w.found, func(f failure) bool { return f.at < r.At && f.message == r.Message })
		f := failure{at: r.At, message: r.Message, severity: severity(w.check.History, r.At)}
		switch class := classOf(w.check.History, r.Stack); {
		case inBackward:
		case r.CodeName == "function":
			f.node.Name = r.OpName + "Backward"
			reportFunction(w.check, f)
		case class != "" && mentions(r.CodeName, "overlap", "view-inplace"):
			f.node.Name = class + "Backward"
			reportFunction(w.check, f)
		}
	}
	if p, ok := w.check.Failed(); ok {
		reportUncaught(w.check, p)
		return
	}
	silentFunctions(w.check)
}

// A breach is a way to break the contract.
type breach struct {
	text    string // of the error
	method  string
	pattern *regexp.Regexp // of the lines to change
	label   string
	help    string
}

var (
	returned  = regexp.MustCompile(`^\s*return\b`)
	defined   = regexp.MustCompile(`^\s*def\s`)
	saving    = regexp.MustCompile(`save_for_backward`)
	dirtying  = regexp.MustCompile(`mark_dirty`)
	otherHelp = "the documentation of torch.autograd.Function says what forward and backward must return"
)

var breaches = []breach{
	{"incorrect number of gradients", "backward", returned, "does not return one gradient per argument of forward", "return one gradient per argument of forward, None where none is needed"},
	{"invalid gradient at index", "backward", returned, "returns a gradient whose shape is not the input's", "reduce the gradient to the shape of the input"},
	{"expected Variable or None", "backward", returned, "returns something that is neither a tensor nor None", "return tensors, or None"},
	{"expected a Variable argument", "backward", returned, "returns something that is neither a tensor nor None", "return tensors, or None"},
	{"positional argument", "backward", defined, "does not take one gradient per output of forward", "give backward one argument per output of forward, after ctx"},
	{"non-static forward", "forward", defined, "is not a static method", "put @staticmethod before forward and backward and call the class's apply"},
	{"marked as dirty", "forward", dirtying, "marks an input that forward does not return", "return the tensor that was changed in place"},
	{"save_for_backward can only save", "forward", saving, "saves something that is not a tensor", "keep numbers as attributes of ctx: ctx.k = k"},
	{"modified by an inplace", "forward", saving, "saves a tensor that is modified afterwards", "save what backward needs after the change, or a clone"},
}

var missingAttribute = regexp.MustCompile(`object has no attribute '(\w+)'`)

// reportFunction reports an error in a custom Function at the lines of its class.
func reportFunction(check *inspect.Checker, f failure) {
	class := cmp.Or(f.class, customFunction(f.node.Name))
	source, ok := functionsOf(check.History)[class]
	if !ok {
		return
	}
	var spans []inspect.Span
	help := otherHelp
	if len(f.writes) > 0 {
		spans = append(spans, check.In(f.writes[0].Stack, f.writes[0].At, "modifies a tensor that was saved"))
	}
	if class != customFunction(f.node.Name) {
		spans = append(spans, check.Callers(f.writes[0].At)...)
		spans = append(spans, check.At(f.node.Created, "saved here ("+f.node.Name+")"))
		f.message = "forward modifies an input in place without mark_dirty, which " + f.node.Name + " saved"
		reportBreach(check, class, f, spans, "compute out of place; a forward that does modify an input has to call ctx.mark_dirty and return it")
		return
	}
	if top := check.Tape().Stack(check.StackAt(f.at)).Top(); top.File == source.file && top.Line > source.first && top.Line <= source.last {
		spans = append(spans, inspect.Span{Frame: top, Label: "fails here", At: f.at})
	}
	for _, b := range breaches {
		if mentions(f.message, b.text) {
			help = b.help
			spans = append(spans, source.lines(b.method, b.pattern, b.label)...)
		}
	}
	if m := missingAttribute.FindStringSubmatch(f.message); m != nil {
		spans = append(spans, source.lines("backward", regexp.MustCompile(`\bctx\.`+m[1]+`\b`), "reads what forward did not set")...)
		help = "set it in forward: ctx." + m[1] + " = ..."
	}
	if p, ok := check.Failed(); ok && len(spans) == 0 { // the program's own exception
		if top := check.Tape().Stack(check.StackAt(p)).Top(); top.File == source.file && top.Line > source.first && top.Line <= source.last {
			spans = append(spans, inspect.Span{Frame: top, Label: "fails here", At: p})
		}
	}
	if len(spans) == 0 {
		spans = append(source.lines("backward", defined, "this method fails"), check.LineSpan(source.file, source.first, "the Function"))
	}
	reportBreach(check, class, f, spans, help)
}

func reportBreach(check *inspect.Checker, class string, f failure, spans []inspect.Span, help string) {
	source := functionsOf(check.History)[class]
	related := append(spans[1:], source.lines("forward", defined, "its forward")...)
	related = append(related, check.At(f.at, "the error surfaces here"))
	check.Report(inspect.Finding{
		Severity: f.severity,
		Message:  "the custom Function `" + class + "` breaks its contract: " + firstLine(f.message),
		Primary:  spans[0],
		Related:  related,
		Help:     help,
		Evidence: append(facts(
			spans[0],
			check.At(f.at, fmt.Sprintf("the error is about %s", cmp.Or(f.node.Name, "`"+class+"`"))),
		), caught(check.History, f.severity, f.at)...),
		At:      f.at,
		Symptom: f.at,
	})
}

func firstLine(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	return text
}

// reportUncaught reports an exception that the engine did not raise and that ended the
// program in a method of a custom Function, or because of one.
func reportUncaught(check *inspect.Checker, p graph.Pos) {
	e := failedWith(check.History, p)
	if e == nil || !mentions(e.Message, "non-static forward") {
		return
	}
	for class, f := range functionsOf(check.History) {
		first, _, _ := f.method("forward")
		if first > 1 && !strings.Contains(check.LineText(f.file, first-1), "@staticmethod") {
			reportFunction(check, failure{at: p, message: e.Message, severity: inspect.SeverityError, node: graph.Node{Name: class + "Backward"}})
		}
	}
}

// failedWith returns the exception that ended the program.
func failedWith(h *inspect.History, p graph.Pos) *graph.ProgramFailed {
	_, e, err := h.Tape().At(p)
	failed, ok := e.(*graph.ProgramFailed)
	if err != nil || !ok {
		return nil
	}
	return failed
}
