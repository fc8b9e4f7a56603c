// Package docs holds the documents. Its tests read them; docs/README.md is where to begin.
package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// repository is the root of the repository.
const repository = ".."

var (
	fencedCode = regexp.MustCompile("(?ms)^```.*?^```$")
	inlineCode = regexp.MustCompile("`([^`\n]+)`")
	link       = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	// placeholder is a part of a path that a reader replaces: docs/CODE.md.
	placeholder = regexp.MustCompile(`\b(NAME|CODE|AREA)\b`)
)

// read returns the text of a document without its blocks of code.
func read(t *testing.T, document string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(repository, document))
	if err != nil {
		t.Fatal(err)
	}
	return fencedCode.ReplaceAllString(string(text), "")
}

// exists says whether a path, which may be a pattern, leads to a file or folder.
func exists(t *testing.T, path string) bool {
	t.Helper()
	found, err := filepath.Glob(path)
	if err != nil {
		t.Errorf("%s: %v", path, err)
	}
	return len(found) > 0
}

func TestThePathsThatDocumentsNameExist(t *testing.T) {
	// Names with a slash that are not paths of this repository.
	others := regexp.MustCompile(`^(/|~|\$|-)|://|^(https?|text|origin)/|\.part\.tape$`)
	for _, document := range []string{"CONTRIBUTING.md", "docs/architecture.md"} {
		found := 0
		for _, code := range inlineCode.FindAllStringSubmatch(read(t, document), -1) {
			path := strings.TrimSuffix(strings.TrimPrefix(code[1], "./"), "...")
			if !strings.Contains(path, "/") || strings.ContainsAny(path, " ()'") || others.MatchString(path) {
				continue
			}
			found++
			if path = placeholder.ReplaceAllString(path, "*"); !exists(t, filepath.Join(repository, path)) {
				t.Errorf("%s names %s, which does not exist", document, code[0])
			}
		}
		if found < 10 {
			t.Errorf("%s names only %d paths", document, found)
		}
	}
}

func TestTheLinksOfDocumentsLeadSomewhere(t *testing.T) {
	var documents []string
	for _, pattern := range []string{"*.md", "*/*.md", "*/*/*.md", "*/*/*/*.md"} {
		found, err := filepath.Glob(filepath.Join(repository, pattern))
		if err != nil {
			t.Fatal(err)
		}
		documents = append(documents, found...)
	}
	if len(documents) < 40 {
		t.Errorf("only %d documents were found", len(documents))
	}
	for _, document := range documents {
		name, _ := filepath.Rel(repository, document)
		for _, target := range link.FindAllStringSubmatch(read(t, name), -1) {
			path, anchor, _ := strings.Cut(target[1], "#")
			if strings.Contains(path, "://") {
				continue
			}
			file := document
			if path != "" {
				file = filepath.Join(filepath.Dir(document), path)
			}
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s links to %s, which does not exist", name, target[1])
			} else if anchor != "" && !hasHeading(t, file, anchor) {
				t.Errorf("%s links to %s: there is no such heading", name, target[1])
			}
		}
	}
}

// hasHeading says whether a document has a heading with an anchor, which is made as GitHub
// makes it.
func hasHeading(t *testing.T, file, anchor string) bool {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if heading, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " "); ok && strings.HasPrefix(line, "#") {
			heading = regexp.MustCompile(`[^\p{L}\p{N} _-]`).ReplaceAllString(strings.ToLower(strings.TrimSpace(heading)), "")
			if strings.ReplaceAll(heading, " ", "-") == anchor {
				return true
			}
		}
	}
	return false
}
