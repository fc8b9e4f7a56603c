package ui

import tea "charm.land/bubbletea/v2"

// openSearch looks for tensors, nodes, files and findings.
func (m *Model) openSearch() tea.Cmd { return nil }
