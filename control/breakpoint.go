package control

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/gradtui/gradtui/query"
)

// A Breakpoint stops the program where a query hits.
type Breakpoint struct {
	ID    int    `json:"id"`
	Query string `json:"query"`          // as [query.Parse] reads it
	Skip  int    `json:"skip,omitempty"` // how often it is passed before it stops
}

// Check reports what is wrong with a breakpoint.
func (b Breakpoint) Check() error {
	if b.Skip < 0 {
		return fmt.Errorf("a breakpoint cannot be skipped %d times", b.Skip)
	}
	_, err := query.Parse(b.Query)
	return err
}

// skipping is the end of a breakpoint that is passed a few times.
var skipping = regexp.MustCompile(`^(.*\S)\s+skip\s+(\d+)$`)

// ParseBreakpoint reads a breakpoint as a person writes it: a query, and "skip 3" after it to
// pass it three times. The ID is left zero.
func ParseBreakpoint(text string) (b Breakpoint, err error) {
	b.Query = strings.TrimSpace(text)
	if m := skipping.FindStringSubmatch(b.Query); m != nil {
		b.Query = m[1]
		if b.Skip, err = strconv.Atoi(m[2]); err != nil {
			return Breakpoint{}, errors.New("skip " + m[2] + ": too many")
		}
	}
	if err := b.Check(); err != nil {
		return Breakpoint{}, err
	}
	return b, nil
}

// String is the breakpoint as [ParseBreakpoint] reads it.
func (b Breakpoint) String() string {
	if b.Skip > 0 {
		return fmt.Sprintf("%s skip %d", b.Query, b.Skip)
	}
	return b.Query
}
