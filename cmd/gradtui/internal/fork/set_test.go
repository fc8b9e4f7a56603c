package fork_test

import (
	"strings"
	"testing"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/fork"
)

func TestAnAssignmentBecomesStatements(t *testing.T) {
	for text, want := range map[string]string{
		"x = x.detach()":            "x = x.detach()",
		" model.fc.weight[0, 0]=3 ": "with __import__('torch').no_grad():\n    model.fc.weight[0, 0] = 3",
		`d["a=b"] = 1`:              "with __import__('torch').no_grad():\n    d[\"a=b\"] = 1",
		"x = f(a=1) == 2":           "x = f(a=1) == 2",
		"get(a=1)[0] = 2":           "with __import__('torch').no_grad():\n    get(a=1)[0] = 2",
		"x == 1":                    "",
		"x += 1":                    "",
		"x":                         "",
		"= 1":                       "",
		"x =":                       "",
	} {
		got, err := fork.Change{Text: text, Assigns: true}.Statements()
		if got != want || (err != nil) != (want == "") {
			t.Errorf("%q: %q, %v; want %q", text, got, err, want)
		}
	}
	got, err := fork.Change{Text: "self.opt.lr = 0.01", Assigns: true}.Statements()
	if err != nil || !strings.Contains(got, "[group.update({'lr': 0.01}) for group in self.opt.param_groups]") || !strings.Contains(got, "else:\n    self.opt.lr = 0.01") {
		t.Errorf("%v:\n%s", err, got)
	}
}
