package jsontext_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gradtui/gradtui/internal/jsontext"
)

func TestWhatIsNotVisibleIsEscaped(t *testing.T) {
	hidden := "\x00\x1b\x7f\u0085\u009b\u00ad\u200b\u200d\u200e\u2028\u2029\u202e\u2066\ufeff\ufdd0\ufffe\U0001fffe\U000e0001"
	b, err := jsontext.Marshal(hidden)
	if err != nil {
		t.Fatal(err)
	}
	if i := strings.IndexFunc(string(b), func(r rune) bool { return r < 0x20 || r >= 0x7f }); i >= 0 {
		t.Errorf("%q is raw in %q", b[i:], b)
	}
}

func FuzzJSONIsReadBack(f *testing.F) {
	for _, s := range []string{"plain", "世界 é ́", "\x9b\u009b\U0001fffe", "\u202e", "\\u202e\""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		b, err := jsontext.Marshal(map[string]string{s: s})
		if err != nil {
			t.Fatal(err)
		}
		var back map[string]string
		if err := json.Unmarshal(b, &back); err != nil {
			t.Fatalf("%v: %s", err, b)
		}
		if want := strings.ToValidUTF8(s, "\ufffd"); utf8.ValidString(s) && back[want] != want {
			t.Fatalf("%q became %q", want, back)
		}
	})
}

func TestNoStringIsACommandForACIService(t *testing.T) {
	for _, want := range []string{"##[error]x", "a ##vso[task]b", "###[x", "####", "\\##[", "#"} {
		text, err := jsontext.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "##") {
			t.Errorf("%s", text)
		}
		var got string
		if err := json.Unmarshal(text, &got); err != nil || got != want {
			t.Errorf("%s is %q, %v, not %q", text, got, err, want)
		}
	}
}
