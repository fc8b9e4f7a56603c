package fixes

import (
	"regexp"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/inspect/internal/pysyntax"
)

// trainAgain switches a model back to training mode where an iteration of the training begins.
func trainAgain(s *scene) string {
	st, step := s.primary(), s.related("a step in evaluation mode")
	call := s.only(st, calls("eval"))
	if call == nil || step == nil {
		return ""
	}
	of, _ := call.Method()
	if of == nil || of.Dotted() == "" || !s.visible(of.Dotted(), st, step) || strings.Contains(s.file.Text, "deepcopy(") {
		return "" // or a copy is asleep, which has another name
	}
	header := step.Around("for", "while")
	if header == nil || function(header) != function(step) {
		header = function(step)
	}
	if header == nil || !s.atTop(header, of.Dotted()+".train()") {
		return ""
	}
	return "switch back to training mode before training goes on"
}

// evalFirst switches a model to evaluation mode for an evaluation.
func evalFirst(s *scene) string {
	st, begins := s.primary(), s.related("the evaluation begins here")
	if st == nil {
		return ""
	}
	if begins == nil {
		begins = st
	}
	var models []string
	for _, other := range s.file.All {
		if other != st && !other.In(begins) {
			continue
		}
		other.Each(func(e *pysyntax.Expr) {
			if name := dottedCall(e); name != "" && s.model(name) && !slices.Contains(models, name) {
				models = append(models, name)
			}
		})
		if other == st && len(models) > 0 {
			break
		}
	}
	if len(models) != 1 || begins.Keyword != "with" && begins != st {
		return ""
	}
	model := models[0]
	if strings.HasPrefix(model, "self.") && begins == st {
		return ""
	}
	if strings.Contains(s.file.Text, model+".train(") || !s.visible(model, st, begins) {
		return "" // the program switches modes somewhere
	}
	leaves := false
	for _, other := range s.file.All {
		if (other == begins || other.In(begins)) && slices.Contains([]string{"return", "break", "continue"}, other.Keyword) {
			leaves = true
		}
	}
	again := !s.lastOfProgram(begins)
	switch {
	case leaves && again:
		return ""
	case !s.before(begins, model+".eval()"):
		return ""
	case !again:
	case begins.Keyword == "with" && !s.afterBlock(begins, model+".train()"), begins == st && !s.after(st, model+".train()"):
		return ""
	}
	return "evaluate `" + model + "` in evaluation mode"
}

// model reports whether a name is bound to a module that the file makes, or is a parameter that is called like one.
func (s *scene) model(name string) bool {
	last := name[strings.LastIndexByte(name, '.')+1:]
	if regexp.MustCompile(`^(net|model|network|classifier|encoder|tagger)$`).MatchString(last) {
		return true
	}
	made := s.maker(name)
	if made == nil {
		return false
	}
	class := called(made.Value)
	return class == "Sequential" || slices.ContainsFunc(s.file.All, func(st *pysyntax.Stmt) bool {
		return st.Keyword == "class" && st.Name == class && strings.Contains(s.file.Text[st.Start:st.End], "Module")
	})
}

// lastOfProgram reports whether a statement of the module runs once, with no training after it.
func (s *scene) lastOfProgram(st *pysyntax.Stmt) bool {
	if function(st) != nil || st.Around("for", "while") != nil {
		return false
	}
	return !slices.ContainsFunc(s.file.All, func(other *pysyntax.Stmt) bool {
		return other.Start > st.End && s.only(other, func(e *pysyntax.Expr) bool { return called(e) == "backward" || called(e) == "step" }) != nil
	})
}

// registerModules puts modules into a container that registers them.
func registerModules(s *scene) string {
	st := s.primary()
	if st == nil || st.Op != "=" || len(st.Targets) != 1 || !strings.HasPrefix(st.Targets[0].Dotted(), "self.") {
		return ""
	}
	if s.f.Code == "optimizer-missing-param" && strings.HasSuffix(s.tensor(), "]") {
		return "" // a container of parameters
	}
	nn, ok := s.imported("torch.nn")
	if !ok || s.f.Code == "optimizer-missing-param" && !strings.Contains(s.f.Message, "not registered") {
		return ""
	}
	attribute := st.Targets[0].Text
	if regexp.MustCompile(`\b` + regexp.QuoteMeta(attribute) + `\.(get|setdefault|sort|remove|copy|count|index)\(`).MatchString(s.file.Text) {
		return "" // what the containers do not have
	}
	v := st.Value
	bracket := s.file.Text[v.Start]
	container := ""
	switch {
	case v.Form == pysyntax.Call && v.X.Form == pysyntax.Name && len(v.Args) == 0 && v.X.Text == "list", v.Form == pysyntax.Call && v.X.Form == pysyntax.Name && len(v.Args) == 0 && v.X.Text == "dict":
		container = map[string]string{"list": "ModuleList", "dict": "ModuleDict"}[v.X.Text]
		s.replace(v, nn+"."+container+"()")
	case bracket == '[' && (v.Form == pysyntax.List || v.Form == pysyntax.Comprehension):
		container = "ModuleList"
		s.wrap(v, nn+"."+container, v.Form == pysyntax.List && len(v.Args) == 0)
	case bracket == '{' && v.Form == pysyntax.Other:
		container = "ModuleDict"
		s.wrap(v, nn+"."+container, v.End-v.Start == 2)
	default:
		return ""
	}
	return "register the modules with " + nn + "." + container
}

func (s *scene) wrap(v *pysyntax.Expr, container string, empty bool) {
	if empty {
		s.replace(v, container+"()")
		return
	}
	s.insert(v.Start, container+"(")
	s.insert(v.End, ")")
}

// registerParameter makes a parameter of a tensor that a module keeps as an attribute.
func registerParameter(s *scene) string {
	st := s.primary()
	if st == nil || st.Op != "=" || len(st.Targets) != 1 || !strings.HasPrefix(st.Targets[0].Dotted(), "self.") || !strings.Contains(s.f.Message, "not registered") {
		return ""
	}
	call := st.Value
	nn, ok := s.imported("torch.nn")
	if a, has := call.Arg("requires_grad"); !ok || call.Form != pysyntax.Call || !has || s.text(a.Value) != "True" {
		return ""
	}
	s.dropArgument(call, "requires_grad")
	s.insert(call.Start, nn+".Parameter(")
	s.insert(call.End, ")")
	return "register the parameter"
}

// allParameters gives an optimizer the parameters that were left out.
func allParameters(s *scene) string {
	st := s.primary()
	if st == nil || !strings.Contains(s.f.Message, "it was left out") {
		return ""
	}
	const title = "give the optimizer all parameters"
	if cut := s.only(st, func(e *pysyntax.Expr) bool {
		return e.Form == pysyntax.Subscript && len(e.Args) == 1 && e.Args[0].Value.Form == pysyntax.Other &&
			e.X.Form == pysyntax.Call && e.X.X.Dotted() == "list" && len(e.X.Args) == 1 && called(e.X.Args[0].Value) == "parameters"
	}); cut != nil {
		s.replace(cut, s.text(cut.X.Args[0].Value))
		return title
	}
	root, _, _ := strings.Cut(strings.ReplaceAll(s.tensor(), "[", "."), ".")
	if root == "" {
		return ""
	}
	list := s.only(st, func(e *pysyntax.Expr) bool {
		return e.Form == pysyntax.List && len(e.Args) > 0 && strings.HasPrefix(s.text(e.Args[0].Value), "*")
	})
	switch of := s.only(st, calls("parameters")); {
	case list != nil && root == s.tensor():
		s.addArgument(list, root)
	case list != nil && s.visible(root, st, st):
		s.addArgument(list, "*"+root+".parameters()")
	case of != nil && strings.HasPrefix(of.X.X.Dotted(), root+"."):
		s.replace(of.X.X, root)
	default:
		return ""
	}
	return title
}
