package target

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/cli"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/suggest"
)

// Values say how many elements of tensors are recorded: of those with certain names, and of all
// others. They are the value of a flag, such as "full" or "fc1.weight=full,encoder.*=256,summary".
type Values struct {
	text   string
	Others int            // as [graph.Limits.Elements]; 0: as usual
	Named  *graph.Amounts // nil: none
}

// Set reads what a user has typed.
func (v *Values) Set(text string) error {
	var named []graph.Amount
	others, ended := 0, ""
	for item := range strings.SplitSeq(text, ",") {
		item = strings.TrimSpace(item)
		if item == "" && strings.TrimSpace(text) == "" {
			break
		}
		pattern, amount := "*", item
		if i := strings.LastIndexByte(item, '='); i >= 0 {
			pattern, amount = strings.TrimSpace(item[:i]), strings.TrimSpace(item[i+1:])
		}
		n, err := elements(amount)
		switch {
		case item == "":
			return fmt.Errorf("%q has an empty item; write NAME=AMOUNT between commas", text)
		case pattern == "":
			return fmt.Errorf("%q has no name before the =; write for example fc1.weight=%s", item, amount)
		case ended != "":
			return fmt.Errorf("%q comes after %q, which is for all others; put %q last", item, ended, ended)
		case err != nil && pattern == "*" && item == amount:
			return fmt.Errorf("%q is neither full, summary nor a number of elements; by name, write for example %s=full", item, item)
		case err != nil:
			return fmt.Errorf("%q asks for %q; write full, summary or a number of elements, for example %s=full", item, amount, pattern)
		case strings.Trim(pattern, ".*") == "" && pattern != "*" || strings.Contains(pattern, "..") || strings.ContainsRune(pattern, '='):
			return fmt.Errorf("%q is not a name; write for example fc1.weight, encoder.* or *.bias", pattern)
		case pattern == "*":
			others, ended = n, item
		default:
			named = append(named, graph.Amount{Pattern: pattern, Elements: n})
		}
	}
	*v = Values{text: text, Others: others, Named: graph.NewAmounts(named)}
	return nil
}

// elements reads an amount.
func elements(text string) (int, error) {
	switch text {
	case "summary":
		return graph.UsualElements, nil
	case "full":
		return graph.MostElements, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("%q is not a number of elements", text)
	}
	return min(max(n, graph.UsualElements), graph.MostElements), nil
}

// Limits adds the values to the limits of a tape.
func (v *Values) Limits(l graph.Limits) graph.Limits {
	l.Elements, l.Named = v.Others, v.Named
	return l
}

// String is what was set.
func (v *Values) String() string { return v.text }

// Type names the values of the flag.
func (v *Values) Type() string { return "amount" }

// ValuesText writes the values of limits as the flag takes them.
func ValuesText(l graph.Limits) string {
	var items []string
	if l.Named != nil {
		for _, a := range l.Named.List {
			items = append(items, a.Pattern+"="+strconv.Itoa(a.Elements))
		}
	}
	if l.Elements > 0 {
		items = append(items, strconv.Itoa(l.Elements))
	}
	return strings.Join(items, ",")
}

// mostProposed is how many names a message about a name proposes.
const mostProposed = 3

// Unmatched says which names of --values nothing had on tapes that were recorded with them; "" if
// there is none.
func Unmatched(tapes ...*graph.Tape) string {
	if len(tapes) == 0 || tapes[0].Limits().Named == nil {
		return ""
	}
	amounts := tapes[0].Limits().Named
	left := slices.Clone(amounts.List)
	var names []string
	for _, tape := range tapes {
		for name := range namesOn(tape) {
			for part, more := name, true; more; _, part, more = strings.Cut(part, ".") {
				names = append(names, part)
			}
			for i := range amounts.List {
				if amounts.Matches(i, name) {
					left[i].Pattern = ""
				}
			}
		}
	}
	slices.Sort(names)
	var parts []string
	for _, a := range left {
		if a.Pattern == "" {
			continue
		}
		text := strconv.Quote(a.Pattern)
		if near := suggest.Words(a.Pattern, slices.Compact(names)); len(near) > 0 {
			text += " (did you mean " + strings.Join(near[:min(len(near), mostProposed)], ", ") + "?)"
		}
		parts = append(parts, text)
	}
	if len(parts) == 0 {
		return ""
	}
	return "--values: no tensor or module was named " + strings.Join(parts, ", nor ")
}

// namesOn are the names of tensors and the paths of modules on a tape.
func namesOn(tape *graph.Tape) map[string]bool {
	ids, names := map[graph.StringID]bool{}, map[string]bool{}
	d := tape.NewDecoder()
	for p := range tape.Len() {
		kind, err := d.Kind(p)
		if err != nil || kind != graph.KindNameBound && kind != graph.KindModuleEntered {
			continue
		}
		var id graph.StringID
		switch _, e, _ := d.ReadUntimed(p); e := e.(type) {
		case *graph.NameBound:
			id = e.Name
		case *graph.ModuleEntered:
			id = e.Path
		}
		if id != 0 && !ids[id] {
			ids[id] = true
			names[tape.String(id)] = true
		}
	}
	return names
}

// noteUnmatched says which names of --values nothing had.
func noteUnmatched(w io.Writer, tapes ...*graph.Tape) {
	if text := Unmatched(tapes...); text != "" {
		fmt.Fprintln(w, "gradtui:", cli.OneLine(text))
	}
}
