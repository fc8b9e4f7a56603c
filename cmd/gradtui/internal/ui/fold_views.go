package ui

import (
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/dag"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/console"
)

// mostViewNames is how many operations of views are named in a row.
const mostViewNames = 3

// viewsOf names the views of its result that a row stands for, and counts them if it does not name each.
func (v *graphView) viewsOf(row *dag.Row) (names, count string) {
	at, ok := v.view.RowOf(row.Node)
	if !ok || row.Group != nil || v.view.LeftOut() == 0 {
		return "", ""
	}
	nodes := v.view.ViewsOf(at)
	list := dag.ViewNames(v.view.Graph(), nodes)
	if len(list) > mostViewNames || len(nodes) > len(list) {
		count = fmt.Sprintf(" ×%d", len(nodes))
	}
	return console.OneLine(strings.Join(list[:min(len(list), mostViewNames)], ", ")), count
}

// viewsText says in a row which views of its result are read instead of it.
func (v *graphView) viewsText(row *dag.Row) styled {
	names, count := v.viewsOf(row)
	if names == "" {
		return nil
	}
	return styled{{muted, " ⇢ (" + names + ")" + count}}
}

// commandFold leaves out the nodes that only change how elements are addressed, or shows them again.
func (m *Model) commandFold(args string) tea.Cmd {
	what, state, _ := strings.Cut(args, " ")
	switch {
	case what != "views" || state != "" && state != "on" && state != "off":
		return m.sayError(errors.New("fold takes views, or views off; space folds the selected row"))
	case m.scope.view == nil:
		return m.say(muted, "there is no graph here yet")
	}
	m.scope.byHand = true
	m.scope.view.FoldViews(state != "off")
	m.panes.graph.forget()
	m.refresh()
	n := m.scope.view.LeftOut()
	switch {
	case state == "off":
		return m.say(muted, "all nodes have rows")
	case n == 0:
		return m.say(muted, "no node of this graph is a view")
	}
	return m.say(muted, fmt.Sprintf("%s folded into the rows of their inputs; :fold views off shows them", plural(n, "view")))
}

// showView gives a node that is left out a row of its own.
func (m *Model) showView(id graph.NodeID) {
	if m.scope.view != nil && m.scope.view.ShowView(id) {
		m.panes.graph.forget()
	}
}
