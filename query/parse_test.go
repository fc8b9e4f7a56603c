package query_test

import (
	"strings"
	"testing"

	"github.com/gradtui/gradtui/query"
)

func TestAnUnreadableQuerySaysWhy(t *testing.T) {
	for text, want := range map[string]string{
		"":                                       "an empty query",
		"moon":                                   "moon is a tensor",
		"tenser w":                               `did you mean "tensor"?`,
		"op":                                     `op needs a name, such as "relu*"`,
		"tensor":                                 `such as "loss"`,
		"nan w":                                  `unexpected "w"`,
		"op [":                                   "a [ without a ]",
		"op mul if size > 3":                     "size is a tensor",
		"op mul if max => 3":                     "want",
		"op mul if max > many":                   "many is a tensor",
		"train.py:0":                             "a number from 1",
		"a.py:99999999999999999999":              "too many",
		`op == 3`:                                "op is a text and 3 is a number",
		`op > "mm"`:                              "texts are compared with ==",
		`max(op) > 3`:                            "max takes a tensor",
		`maxi(out) > 3`:                          `did you mean "max"?`,
		`writes(3)`:                              "writes takes the name of a tensor",
		`writes(a, b)`:                           "at most one argument",
		`nonfinite(a)`:                           "no argument",
		`max(out)`:                               "max(out) is a number; compare it with something",
		`op = "mm"`:                              "cannot be read",
		`op == "mm" and`:                         "ends too early",
		`op == "mm" and w`:                       "w is a tensor; compare it with something, or ask writes(w)",
		`[x for x in out]`:                       "a query cannot say",
		`lambda: 3`:                              "a query cannot say",
		`grad == 3`:                              "grad takes a tensor",
		`grad(out).norm > 3`:                     "grad takes the name of a tensor",
		`out.shape[9999999999999999999999] == 3`: "too large",
		`max(w) % 2 == 0`:                        "not with %",
		`1 < max(w) < 3`:                         "cannot be read",
		`finding x if max > 3`:                   "no condition",
		strings.Repeat("(", 5000):                "at most 4096",
	} {
		q, err := query.Parse(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, %v; want %q", text, q, err, want)
		}
	}
}

// Every example of the documentation can be read.
func TestTheExamplesCanBeRead(t *testing.T) {
	for _, w := range query.Words() {
		if w.Example == "" {
			continue
		}
		q, err := query.Parse(w.Example)
		if err != nil {
			t.Errorf("%s: %v", w.Example, err)
		} else if q.String() != w.Example {
			t.Errorf("%s is %s", w.Example, q)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, w := range query.Words() {
		f.Add(w.Example)
	}
	f.Add("reads(w) after line 40")
	f.Add("train.py:12 if max > 3")
	f.Fuzz(func(t *testing.T, text string) {
		q, err := query.Parse(text)
		if err != nil {
			return
		}
		q.Needs()
		tape := record(t, training)
		x := query.NewHits(tape, q)
		x.Extend(tape.Len())
	})
}
