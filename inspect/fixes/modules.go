package fixes

import (
	"regexp"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/inspect"
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

// optimizerLater makes an optimizer when the parameters that it is to have exist.
func optimizerLater(s *scene) string {
	st, made := s.primary(), s.related("the optimizer was made here")
	if st == nil || made == nil || !strings.Contains(s.f.Message, "made after the optimizer") || made.Op != "=" || len(made.Targets) != 1 ||
		st.Op != "=" || len(st.Targets) != 1 || made.Parent != st.Parent || made.Start > st.Start {
		return ""
	}
	optimizer, root := made.Targets[0].Dotted(), s.root(st.Targets[0])
	if optimizer == "" || root == "" || !s.mentions(made, root) {
		return "" // the optimizer would not get it later either
	}
	to := st
	for _, other := range s.file.All {
		if other.Start <= made.Start {
			continue
		}
		if s.mentions(other, s.root(made.Targets[0])) || assigns(other, optimizer) {
			if other.Start < st.End {
				return "" // something is done with it before
			}
			break
		}
		// Further layers may be replaced after the first one.
		if other.Start > st.Start && other.Parent == st.Parent && other.Op == "=" && len(other.Targets) == 1 && s.root(other.Targets[0]) == root {
			to = other
		}
	}
	for _, other := range s.file.All {
		if other.Start <= made.Start || other.Start > to.Start {
			continue
		}
		if !other.Understood || other.Keyword == "del" {
			return ""
		}
		for _, t := range other.Targets {
			changed := false
			each(t, func(e *pysyntax.Expr) {
				r := s.root(e)
				changed = changed || r == "" || r != root && s.mentions(made, r)
			})
			if changed {
				return "" // the optimizer may read it
			}
		}
	}
	if !s.move(made, to, true) {
		return ""
	}
	return "make the optimizer after `" + s.text(to.Targets[0]) + "`"
}

// root is the variable that a name, an attribute or an element belongs to; "": there is none.
func (s *scene) root(e *pysyntax.Expr) string {
	for e.Form == pysyntax.Attribute || e.Form == pysyntax.Subscript {
		e = e.X
	}
	if e.Form != pysyntax.Name {
		return ""
	}
	return e.Text
}

// mentions reports whether a statement mentions a variable or a part of it.
func (s *scene) mentions(st *pysyntax.Stmt, name string) bool {
	if !st.Understood {
		return inspect.Mentions(s.file.Text[st.Start:st.End], name)
	}
	found := false
	st.Each(func(e *pysyntax.Expr) { found = found || e.Form == pysyntax.Name && e.Text == name })
	return found
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
