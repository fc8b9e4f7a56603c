package ui

import tea "charm.land/bubbletea/v2"

// openPicture shows the graph as a picture.
func (m *Model) openPicture() tea.Cmd { return nil }

func (m *Model) showsPictures() bool { return false }
