package ui

import (
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/dag"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/session"
	"github.com/gradtui/gradtui/control"
	"github.com/gradtui/gradtui/query"
)

// Session returns what the user has set, to be kept for the next time.
func (m *Model) Session() session.Session {
	s := m.kept
	s.Breakpoints = nil
	for _, q := range m.queries {
		s.Breakpoints = append(s.Breakpoints, session.Breakpoint{Query: q.Query, Skip: q.Skip})
	}
	s.Watches = nil
	for _, w := range m.asked.watches {
		s.Watches = append(s.Watches, w.text)
	}
	s.Bookmarks = m.bookmarks
	s.Folds = m.scope.foldsNow()
	s.Sizes = m.sizes.kept()
	s.Focus, s.Zoomed = m.focus.name(), m.zoomed
	s.Commands, s.Searches = m.typed, m.searched
	return s
}

// Keep writes the session to its file, unless sessions are off.
func (m *Model) Keep() error {
	if m.SessionFile == nil || m.forgotten {
		return nil
	}
	return m.SessionFile.Save(m.Session())
}

// takeSession sets what an earlier session had set. What cannot be read any more is left out.
func (m *Model) takeSession(s *session.Session) {
	m.kept = *s
	for _, b := range s.Breakpoints {
		if q, err := query.Parse(b.Query); err == nil {
			point := control.Breakpoint{ID: len(m.queries) + 1, Query: b.Query, Skip: b.Skip}
			m.queries = append(m.queries, standing{point, q, query.NewHits(m.tape, q)})
			m.index.asked = append(m.index.asked, m.queries[len(m.queries)-1].hits)
		}
	}
	for _, text := range s.Watches[:min(len(s.Watches), mostWatches)] {
		m.asked.watches = append(m.asked.watches, watchedValue{text: text})
	}
	m.bookmarks = s.Bookmarks
	m.scope.byHand, m.scope.folds = len(s.Folds) > 0, dag.Folds(s.Folds)
	if id, ok := paneNamed(s.Focus); ok && s.Focus != "" {
		m.focus = id
		if id.inCorner() {
			m.last = id
		}
	}
	m.zoomed = s.Zoomed
	m.sizes = keptSizes(s.Sizes)
	m.typed, m.searched = s.Commands, s.Searches
	if n := len(m.searched); n > 0 {
		m.query = m.searched[n-1]
	}
	if words := sessionWords(s); words != "" && m.notice.text == "" {
		m.notice = notice{"from the last session: " + words, muted}
	}
}

// sessionWords says what of a session a user may want to know.
func sessionWords(s *session.Session) string {
	var words []string
	for _, part := range []struct {
		n    int
		name string
	}{{len(s.Breakpoints), "breakpoint"}, {len(s.Watches), "watched expression"}, {len(s.Bookmarks), "bookmark"}} {
		if part.n > 0 {
			words = append(words, plural(part.n, part.name))
		}
	}
	return strings.Join(words, ", ")
}

// commandSession says where the session is kept, or removes it.
func (m *Model) commandSession(args string) tea.Cmd {
	file := m.SessionFile
	switch {
	case args != "" && args != "clear":
		return m.sayError(fmt.Errorf("%q is not known; use session, or session clear", args))
	case file == nil:
		return m.sayError(errors.New("nothing is kept for the next time: sessions are off here"))
	case args == "":
		said := "kept in " + file.Path()
		if m.forgotten {
			said = "removed; nothing is kept for the next time"
		} else if words := sessionWords(ptr(m.Session())); words != "" {
			said = words + ", " + said
		}
		return m.say(plain, said)
	}
	m.forgotten = true
	return func() tea.Msg {
		if err := file.Remove(); err != nil {
			return saidMsg{err.Error(), failed}
		}
		return saidMsg{"the session is removed, and this one will not be kept", strong}
	}
}

func ptr[T any](v T) *T { return &v }
