package ui

import (
	"errors"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
	"github.com/gradtui/gradtui/graph"
)

// sources are the files of the program: those on the tape, and those that the tape leaves
// out and that may be read from the disk.
type sources struct {
	tape    *graph.Tape
	read    func(name string, e *graph.SourceRead) ([]byte, error)
	dec     *graph.Decoder
	scanned graph.Pos // events that were searched for files
	onTape  map[string]graph.Pos
	files   map[string]*source
}

// A source is the text of a file.
type source struct {
	lines   []string
	missing string // why there are none
	// colours has the stretches of each line; nil: not known.
	colours [][]stretch
	asked   bool // the colours were asked for
}

// A stretch is a piece of a source line that looks one way, up to a byte.
type stretch struct {
	end   int
	style cells.Style
}

func newSources(tape *graph.Tape, read func(string, *graph.SourceRead) ([]byte, error)) *sources {
	return &sources{
		tape: tape, read: read, dec: tape.NewDecoder(),
		onTape: map[string]graph.Pos{}, files: map[string]*source{},
	}
}

// file returns the text of a file; without lines if it is not known.
func (s *sources) file(name string) *source {
	f, ok := s.files[name]
	if ok && (len(f.lines) > 0 || s.scanned == s.tape.Len()) {
		return f
	}
	f = &source{}
	if text, err := s.text(name); err != nil {
		f.missing = "The source of " + name + " is not on the tape"
		if !errors.Is(err, errNoText) {
			f.missing += ": " + err.Error()
		}
		f.missing += "."
	} else {
		f.lines = strings.Split(strings.ToValidUTF8(strings.TrimPrefix(text, "\ufeff"), "\ufffd"), "\n")
	}
	s.files[name] = f
	return f
}

// errNoText is the error of a file that the tape does not mention.
var errNoText = errors.New("it is not on the tape")

func (s *sources) text(name string) (string, error) {
	for ; s.scanned < s.tape.Len(); s.scanned++ {
		if k, err := s.dec.Kind(s.scanned); err != nil || k != graph.KindSourceRead {
			continue
		}
		if _, e, err := s.dec.ReadUntimed(s.scanned); err == nil {
			s.onTape[s.tape.String(e.(*graph.SourceRead).File)] = s.scanned
		}
	}
	p, ok := s.onTape[name]
	if !ok {
		return "", errNoText
	}
	_, e, err := s.dec.ReadUntimed(p)
	if err != nil {
		return "", errNoText
	}
	read := e.(*graph.SourceRead)
	if read.LeftOut == "" {
		return read.Text, nil
	}
	if s.read != nil {
		if text, err := s.read(name, read); err == nil {
			return string(text), nil
		}
	}
	return "", errors.New(read.LeftOut)
}

// maxColoured bounds the bytes of a file that gets colours.
const maxColoured = 1 << 20

// colouredMsg brings the colours of a file.
type colouredMsg struct {
	source  *source
	colours [][]stretch
}

// colour finds the colours of the file that is shown, in a goroutine.
func (m *Model) colour() tea.Cmd {
	name := m.place.File
	f := m.sources.files[name]
	if f == nil || f.asked || len(f.lines) == 0 {
		return nil
	}
	f.asked = true
	lines := f.lines
	return func() tea.Msg { return colouredMsg{f, colours(name, lines)} }
}

// maxFileName is how many bytes the name of a file can have; the time to find what fits a longer
// one, which a tape is free to claim, grows with its length.
const maxFileName = 255

// colours returns how the lines of a source file look; nil for an unknown language.
func colours(name string, lines []string) [][]stretch {
	text, base := strings.Join(lines, "\n"), filepath.Base(name)
	if len(base) > maxFileName || len(text) > maxColoured {
		return nil
	}
	lexer := lexers.Match(base)
	if lexer == nil {
		return nil
	}
	tokens, err := lexer.Tokenise(&chroma.TokeniseOptions{State: "root"}, text)
	if err != nil {
		return nil
	}
	all := make([][]stretch, 1, len(lines))
	column := 0
	for token := tokens(); token != chroma.EOF; token = tokens() {
		style := tokenStyle(token.Type)
		for i, part := range strings.Split(token.Value, "\n") {
			if i > 0 {
				all, column = append(all, nil), 0
			}
			if part != "" {
				column += len(part)
				all[len(all)-1] = append(all[len(all)-1], stretch{column, style})
			}
		}
	}
	return all
}

// tokenStyles are the styles of tokens, special ones first.
var tokenStyles = []struct {
	token chroma.TokenType
	in    func(t, of chroma.TokenType) bool
	style cells.Style
}{
	{chroma.NameFunction, same, function},
	{chroma.NameClass, same, function},
	{chroma.NameDecorator, same, function},
	{chroma.OperatorWord, same, keyword},
	{chroma.Keyword, category, keyword},
	{chroma.Literal, category, literal},
	{chroma.Comment, category, comment},
}

func same(t, of chroma.TokenType) bool     { return t == of }
func category(t, of chroma.TokenType) bool { return t.InCategory(of) }

func tokenStyle(t chroma.TokenType) cells.Style {
	for _, s := range tokenStyles {
		if s.in(t, s.token) {
			return s.style
		}
	}
	return plain
}
