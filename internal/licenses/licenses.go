// Package licenses has the licences of what is in the command: gradtui itself, Go, the modules
// that are linked in, and what these modules bring that is not Go. A test collects the texts.
package licenses

import (
	"cmp"
	"embed"
	"io/fs"
	"path"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
)

//go:embed all:texts
var texts embed.FS

// A Part is a part of the command that has an owner and a licence.
type Part struct {
	// Name is the path of a Go module, or the name of what is not one.
	Name    string
	Version string // "" for gradtui
	// Licenses are the identifiers that SPDX gives to the licences, "" for none that is known.
	Licenses []string
	Texts    []Text
}

// A Text is a file that has to go with a part: a licence or a notice.
type Text struct{ Name, Content string }

// itself is the name of gradtui among the parts, golang the name of Go's runtime and standard
// library.
const itself, golang = "gradtui", "Go"

// brought says which module brings a part that is not a module.
var brought = map[string]string{
	"Graphviz": "github.com/goccy/go-graphviz",
	"Expat":    "github.com/goccy/go-graphviz",
	"musl":     "github.com/goccy/go-graphviz",
	"CPython":  "github.com/kluctl/go-embed-python",
}

// All are the parts that this command was built from: gradtui, Go, and the others by name.
// own is the version of gradtui.
func All(own string) []Part {
	parts := collected()
	if info, ok := debug.ReadBuildInfo(); ok {
		parts = slices.DeleteFunc(parts, func(p Part) bool { return !builtFrom(info.Deps, p.Name) })
	}
	for i := range parts {
		switch parts[i].Name {
		case itself:
			parts[i].Version = own
		case golang:
			parts[i].Version = runtime.Version()
		}
	}
	return parts
}

// builtFrom reports whether a part came with one of the modules.
func builtFrom(modules []*debug.Module, name string) bool {
	if name == itself || name == golang {
		return true
	}
	if by, ok := brought[name]; ok {
		name = by
	}
	return slices.ContainsFunc(modules, func(m *debug.Module) bool { return m.Path == name })
}

// collected are all parts that there are texts of, on whatever system they are needed.
func collected() []Part {
	var parts []Part
	fs.WalkDir(texts, ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := texts.ReadFile(file)
		if err != nil {
			return err
		}
		name, version, inside := split(strings.TrimPrefix(file, "texts/"))
		if n := len(parts); n == 0 || parts[n-1].Name != name {
			parts = append(parts, Part{Name: name, Version: version})
		}
		p := &parts[len(parts)-1]
		p.Texts = append(p.Texts, Text{inside, string(content)})
		return nil
	})
	for i := range parts {
		parts[i].Licenses = identify(parts[i].Texts)
	}
	slices.SortFunc(parts, func(a, b Part) int {
		return cmp.Or(rank(b.Name)-rank(a.Name), strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)))
	})
	return parts
}

// rank puts gradtui and Go before the others.
func rank(name string) int { return slices.Index([]string{golang, itself}, name) }

// split takes the path of a text apart: NAME@VERSION/FILE, or NAME/FILE.
func split(file string) (name, version, inside string) {
	elements := strings.Split(file, "/")
	last := max(slices.IndexFunc(elements, func(e string) bool { return strings.Contains(e, "@") }), 0)
	name, version, _ = strings.Cut(path.Join(elements[:last+1]...), "@")
	return name, version, path.Join(elements[last+1:]...)
}

// known are sentences that tell a licence, without regard to case and line ends.
var known = []struct{ license, sentence, without string }{
	{"Apache-2.0", "apache license version 2.0, january 2004", ""},
	{"Apache-2.0", "licensed under the apache license, version 2.0", ""},
	{"BSD-2-Clause", "redistribution and use in source and binary forms", "neither the name"},
	{"BSD-3-Clause", "neither the name", ""},
	{"EPL-1.0", "eclipse public license - v 1.0", ""},
	{"FTL OR GPL-2.0-or-later", "choice of exactly one of the following two licenses: * the freetype license", ""},
	{"MIT", "permission is hereby granted, free of charge, to any person", ""},
	{"PSF-2.0", "python software foundation license version 2", ""},
}

// identify returns the licences in the texts of a part, without texts in its subfolders.
func identify(texts []Text) (list []string) {
	for _, t := range texts {
		if strings.Contains(t.Name, "/") || strings.HasPrefix(t.Name, "NOTICE") {
			continue
		}
		content := strings.ToLower(strings.Join(strings.Fields(t.Content), " "))
		for _, k := range known {
			if strings.Contains(content, k.sentence) && (k.without == "" || !strings.Contains(content, k.without)) {
				list = append(list, k.license)
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}
