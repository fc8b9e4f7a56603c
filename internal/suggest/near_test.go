package suggest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWordsAreThoseThatMayBeMeant(t *testing.T) {
	formats := []string{"text", "json", "sarif", "junit", "github"}
	severities := []string{"hint", "warning", "error", "never"}
	rules := []string{"inplace-saved-tensor", "inplace-leaf", "second-backward", "missing-backward", "no-grad", "nan-grad"}
	for _, c := range []struct {
		word  string
		known []string
		want  []string
	}{
		{"sraif", formats, []string{"sarif"}},
		{"JSON", formats, []string{"json"}},
		{"gif", formats, nil},
		{"xml", formats, nil},
		{"warn", severities, []string{"warning"}},
		{"warnings", severities, []string{"warning"}},
		{"x", severities, nil},
		{"", severities, nil},
		{"second-backwards", rules, []string{"second-backward"}},
		{"backward", rules, []string{"missing-backward", "second-backward"}},
		{"inplace", rules, []string{"inplace-leaf", "inplace-saved-tensor"}},
		{"nograd", rules, []string{"no-grad"}},
		{"grad", []string{"a.grad", "b.grad", "c.grad", "d.grad"}, []string{"a.grad", "b.grad", "c.grad"}},
		{"los", []string{"loss", "loss", "pos"}, []string{"loss", "pos"}},
		{"w1", []string{"w", "w2", "loss"}, []string{"w", "w2"}},
		{strings.Repeat("a", 1000), []string{strings.Repeat("a", 999) + "b"}, nil},
	} {
		if diff := cmp.Diff(c.want, Words(c.word, c.known)); diff != "" {
			t.Errorf("%.20s of %v: %s", c.word, c.known, diff)
		}
	}
}

func TestAnUnknownWordIsAnsweredWithTheOneThatIsMeant(t *testing.T) {
	known := []string{"auto", "builtin", "torch"}
	for word, want := range map[string]string{
		"troch":   `unknown engine "troch" (did you mean "torch"?); use one of auto, builtin, torch`,
		"nothing": `unknown engine "nothing"; use one of auto, builtin, torch`,
	} {
		if got := Unknown("engine", word, known).Error(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
