package docs

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The packages of gradtui, and their tests, have paths that begin so.
const module = "github.com/gradtui/gradtui/"

// TestTheArchitecturePageHasEachPackage checks that the page lists all packages, and that
// each imports only packages listed before it.
func TestTheArchitecturePageHasEachPackage(t *testing.T) {
	if _, err := os.Stat(filepath.Join(repository, "go.mod")); err != nil {
		t.Skip("skipped outside of a checkout")
	}
	const page = "docs/architecture.md"
	text := read(t, page)
	tables, maintainers, found := strings.Cut(text, "**For tests and maintainers**")
	if !found {
		t.Fatal(page, " has no list for maintainers")
	}
	maintainers, _, _ = strings.Cut(maintainers, "\n\n")
	var floors []string // paths of packages, or of folders with a slash at the end
	for _, row := range regexp.MustCompile(`(?m)^\| (`+"`[^|]*"+`) \|`).FindAllStringSubmatch(tables, -1) {
		floors = append(floors, pathsIn(row[1])...)
	}
	aside := pathsIn(maintainers)

	out, err := exec.CommandContext(t.Context(), "go", "list", "-f", "{{.ImportPath}} {{join .Imports \" \"}}", module+"...").Output()
	if err != nil {
		t.Fatal(err)
	}
	at := func(list []string, path string) int {
		return slices.IndexFunc(list, func(entry string) bool {
			return path == entry || strings.HasSuffix(entry, "/") && strings.HasPrefix(path+"/", entry)
		})
	}
	seen := 0
	for line := range strings.Lines(string(out)) {
		imports := strings.Fields(line)
		path := strings.TrimPrefix(imports[0], module)
		floor := at(floors, path)
		if floor < 0 {
			if at(aside, path) < 0 {
				t.Errorf("%s does not list %s", page, path)
			}
			continue
		}
		seen++
		for _, imported := range imports[1:] {
			below, ours := strings.CutPrefix(imported, module)
			if ours && at(floors[:floor+1], below) < 0 {
				t.Errorf("%s imports %s, which %s does not list before it", path, below, page)
			}
		}
	}
	if seen < len(floors) {
		t.Errorf("%s lists %d packages and folders, of which only %d exist", page, len(floors), seen)
	}
}

// pathsIn returns the paths in a piece of Markdown: `a/` is a package, `a/...` all packages
// below a folder.
func pathsIn(text string) (paths []string) {
	for _, code := range inlineCode.FindAllStringSubmatch(text, -1) {
		path, folder := strings.CutSuffix(code[1], "...")
		if !folder {
			path = strings.TrimSuffix(path, "/")
		}
		paths = append(paths, path)
	}
	return paths
}
