package query

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"go.starlark.net/syntax"

	"github.com/gradtui/gradtui/internal/suggest"
)

// mostText bounds the text of a query.
const mostText = 4096

// A tree is a query that was read.
type tree struct {
	root      syntax.Expr
	file      string // of a query that is FILE:LINE
	line      int
	finding   string // of a query about findings
	isFinding bool
}

// A short form is a whole query in a few words: op mul*, inplace w.
type short struct {
	word, takes string // [NAME]: the name may be missing
	means       string
	example     string
	query       func(name string) string
}

var shorts = []short{
	{"op", "NAME", "an operation with this name ran, or a node is about to", "relu*", func(name string) string {
		return fmt.Sprintf("op == %q or runs(%q)", name, name)
	}},
	{"tensor", "NAME", "the tensor is bound, changed, or gets a gradient", "loss", func(name string) string { return fmt.Sprintf("touches(tensor(%q))", name) }},
	{"inplace", "[NAME]", "a tensor is changed in place", "pos", func(name string) string { return "writes(" + quoted("tensor", name) + ")" }},
	{"free", "[NODE]", "saved tensors are freed", "MulBackward0", func(name string) string { return "frees(" + quoted("", name) + ")" }},
	{"nan", "", "a NaN or an infinity appears", "", func(string) string { return "nonfinite()" }},
	{"warning", "", "a warning is issued", "", func(string) string { return "warns()" }},
	{"error", "", "an error is raised", "", func(string) string { return "raises()" }},
	{"finding", "[CODE]", "the diagnosis finds something", "nan-grad", nil},
}

// Syntax lists the short forms of queries.
var Syntax = func() string {
	forms := []string{"FILE:LINE"}
	for _, s := range shorts {
		forms = append(forms, strings.TrimSpace(s.word+" "+s.takes))
	}
	return strings.Join(forms, ", ")
}()

// quoted is a call of a function with a name, or the name alone.
func quoted(function, name string) string {
	switch {
	case name == "":
		return ""
	case function == "":
		return strconv.Quote(name)
	}
	return function + "(" + strconv.Quote(name) + ")"
}

var (
	fileLine = regexp.MustCompile(`^([^"'()=<>!]+):(\d+)$`)
	// condition is the end of a short form: if max > 10.
	condition = regexp.MustCompile(`^(.*?\S)\s+if\s+(.*\S)$`)
	// oneWord is what a short form takes.
	oneWord = regexp.MustCompile(`^[^\s=<>!"'(),]+$`)
)

// Parse reads a query: an expression, or one of the short forms, which may have a condition:
//
//	op == "mm" and max(out) > 100
//	norm(grad(fc1.weight)) < 1e-8
//	reads(w) after line 40
//	train.py:12
//	op mul* if max > 10
//	inplace w
func Parse(text string) (*Query, error) {
	text = strings.TrimSpace(text)
	switch {
	case text == "":
		return nil, fmt.Errorf("an empty query: ask for one of %s, or for something such as %s", Syntax, eventTexts[0].example)
	case len(text) > mostText:
		return nil, fmt.Errorf("a query of %d characters; at most %d are read", len(text), mostText)
	}
	q := &Query{text: text}
	full, err := q.tree.short(text)
	if err != nil {
		return nil, err
	}
	if q.tree.isFinding {
		return q, nil
	}
	source, at := clauses(full)
	if q.tree.root, err = (&syntax.FileOptions{}).ParseExpr("query", source, 0); err != nil {
		return nil, unreadable(text, full == text, at, err)
	}
	ask, _, err := q.tree.compile()
	switch {
	case err == nil && ask.is == tensors:
		err = fmt.Errorf("%s is a tensor; ask for something about it, such as touches(%s) or max(%s) > 3, or for one of %s", ask.text, ask.text, ask.text, Syntax)
	case err == nil && ask.is != truths:
		err = fmt.Errorf("%s is %s; compare it with something", ask.text, ask.is)
	}
	if err != nil {
		return nil, err
	}
	return q, nil
}

// short returns the expression that a text is short for, or the text.
func (t *tree) short(text string) (full string, err error) {
	head, cond := text, ""
	if m := condition.FindStringSubmatch(text); m != nil {
		head, cond = m[1], m[2]
	}
	word, rest, _ := strings.Cut(head, " ")
	rest = strings.TrimSpace(rest)
	for _, s := range shorts {
		if s.word != word || rest != "" && !oneWord.MatchString(rest) {
			continue
		}
		switch {
		case s.takes == "" && rest != "":
			return "", fmt.Errorf("unexpected %q: %s takes no name", rest, word)
		case s.takes != "" && s.takes[0] != '[' && rest == "":
			return "", fmt.Errorf("%s needs a name, such as %q; or compare it: %s == %q", word, s.example, word, s.example)
		case !validPattern(rest):
			return "", fmt.Errorf("the pattern %q has a [ without a ]", rest)
		}
		if s.query == nil {
			t.finding, t.isFinding = rest, true
			if cond != "" {
				return "", errors.New("a finding takes no condition")
			}
			return "", nil
		}
		full = s.query(rest)
	}
	if m := fileLine.FindStringSubmatch(head); m != nil && full == "" {
		t.file = m[1]
		if t.line, err = strconv.Atoi(m[2]); err != nil {
			return "", fmt.Errorf("line %s: too many", m[2])
		}
		if t.line == 0 {
			return "", errors.New("a line needs a file and a number from 1, such as train.py:12")
		}
		full = fmt.Sprintf("at(%q, %d)", m[1], t.line)
	}
	switch {
	case full == "":
		if words := strings.Fields(text); len(words) == 2 && oneWord.MatchString(words[1]) && identifier.MatchString(words[0]) {
			var known []string
			for _, s := range shorts {
				known = append(known, s.word)
			}
			return "", fmt.Errorf("there is no query %q%s; the short forms are: %s", word, suggest.Hint(word, known), Syntax)
		}
		return text, nil
	case cond != "":
		t.file, t.line = "", 0
		return "(" + full + ") and (" + cond + ")", nil
	}
	return full, nil
}

func validPattern(p string) bool { return !strings.Contains(p, "[") || strings.Contains(p, "]") }

var identifier = regexp.MustCompile(`^[A-Za-z_]\w*$`)

// clause is a place that follows an expression: after line 40, in iteration 3.
var clause = regexp.MustCompile(`^(after|before|in|at)\s+(line|event|iteration|backward|step|module|function)\s+([^\s()]+)`)

// clauses writes the places that follow expressions as expressions. at maps what is returned
// to the text.
func clauses(text string) (source string, at []int) {
	var b strings.Builder
	write := func(s string, from int) {
		for range len(s) {
			at = append(at, from)
		}
		b.WriteString(s)
	}
	var quote byte
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quote != 0:
			if c == '\\' && i+1 < len(text) {
				write(text[i:i+1], i)
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case i == 0 || text[i-1] == ' ' || text[i-1] == ')':
			if m := clause.FindStringSubmatch(text[i:]); m != nil && i > 0 {
				write(asExpression(m[1], m[2], m[3]), i)
				i += len(m[0]) - 1
				continue
			}
		}
		write(text[i:i+1], i)
	}
	return b.String(), at
}

// asExpression is a clause as an expression.
func asExpression(when, what, which string) string {
	switch what {
	case "module", "function":
		return fmt.Sprintf("and %s == %q ", what, which)
	case "line":
		is := "line == " + which
		if m := fileLine.FindStringSubmatch(which); m != nil {
			is = fmt.Sprintf("at(%q, %s)", m[1], m[2])
		}
		if when == "after" || when == "before" {
			return fmt.Sprintf("and %s(%s) ", when, is)
		}
		return "and " + is + " "
	}
	if over := map[string]string{"backward": "passes", "event": "position"}[what]; over != "" && when != "in" && when != "at" {
		return fmt.Sprintf("and %s %s %s ", over, map[string]string{"after": ">=", "before": "<"}[when], which)
	}
	return fmt.Sprintf("and %s %s %s ", strings.Replace(what, "event", "position", 1), map[string]string{"after": ">", "before": "<", "in": "==", "at": "=="}[when], which)
}

// unreadable explains why a query could not be read.
func unreadable(text string, itself bool, at []int, err error) error {
	var e syntax.Error
	if !errors.As(err, &e) {
		return fmt.Errorf("the query cannot be read: %w", err)
	}
	what := strings.TrimPrefix(e.Msg, "got ")
	if i := int(e.Pos.Col) - 1; itself && i >= 0 && i < len(at) {
		return fmt.Errorf("the query cannot be read at %q: %s", text[at[i]:], what)
	}
	if strings.ContainsAny(text, "=") && !strings.Contains(text, "==") {
		return fmt.Errorf("the query ends too early: %s (equal is written ==)", what)
	}
	return fmt.Errorf("the query ends too early: %s", what)
}
