package licenses

import (
	"encoding/json"
	"errors"
	"flag"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "collect the texts again")

// systems are those that the command is built for.
var systems = []string{"linux", "darwin", "windows"}

// A linked package is one that the command is built from.
type linked struct {
	Dir    string
	Module *struct {
		Path, Version, Dir string
		Main               bool
	}
}

// withPython are the parts that only a command with an embedded Python has. Their modules are large:
// nothing but -update asks for them.
var withPython = []string{"CPython", "github.com/kluctl/go-embed-python", "github.com/gofrs/flock", "github.com/sirupsen/logrus"}

// packages returns the packages of the command on all systems.
func packages(t *testing.T) (all []linked) {
	t.Helper()
	for _, system := range systems {
		cmd := exec.CommandContext(t.Context(), "go", "list", "-deps", "-json=Dir,Module", "../../cmd/gradtui")
		if *update {
			cmd.Args = slices.Insert(cmd.Args, 2, "-tags=embedpython")
		}
		cmd.Env, cmd.Stderr = append(os.Environ(), "GOOS="+system), os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		for d := json.NewDecoder(strings.NewReader(string(out))); ; {
			var p linked
			if err := d.Decode(&p); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			if p.Module != nil {
				all = append(all, p)
			}
		}
	}
	return all
}

// legal are the names of files that have to go with a binary.
var legal = regexp.MustCompile(`(?i)^(licen[sc]es?|copying|copyright|notice|patents|third_party_licenses)(\.(md|txt))?$`)

// legalFiles returns the legal files of a package and of the folders around it, up to its
// module's: path in the module to content.
func legalFiles(t *testing.T, p linked) map[string]string {
	t.Helper()
	files := map[string]string{}
	begin := p.Dir
	if p.Module.Main {
		begin = p.Module.Dir // this package itself is called licenses
	}
	for dir := begin; ; dir = filepath.Dir(dir) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if legal.MatchString(e.Name()) {
				maps.Copy(files, filesBelow(t, p.Module.Dir, filepath.Join(dir, e.Name())))
			}
		}
		if dir == p.Module.Dir {
			return files
		}
	}
}

// filesBelow reads a file, or the files in a folder, by their paths from a root. It skips source
// files: a package may be called license.
func filesBelow(t *testing.T, root, path string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(path, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) == ".go" {
			return err
		}
		content, err := os.ReadFile(path)
		name, _ := filepath.Rel(root, path)
		files[filepath.ToSlash(name)] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// wanted are the texts that linked modules have: NAME@VERSION/FILE to content.
func wanted(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, p := range packages(t) {
		name := p.Module.Path + "@" + p.Module.Version
		if p.Module.Main {
			name = itself
		}
		for file, content := range legalFiles(t, p) {
			all[name+"/"+file] = content
		}
		if p.Module.Path == brought["CPython"] {
			for _, text := range filesBelow(t, p.Module.Dir, filepath.Join(p.Module.Dir, "python/internal/data/linux-amd64/lib/python"+minor(t, p.Module.Version), "LICENSE.txt")) {
				all["CPython@"+cpython(p.Module.Version)+"/LICENSE.txt"] = text
			}
		}
	}
	return all
}

// cpython is the version of CPython that is in a version of the module that brings it:
// 3.14.6 of v0.0.0-3.14.6-20260610-1.
func cpython(module string) string { return strings.Split(module, "-")[1] }

func minor(t *testing.T, module string) string {
	t.Helper()
	v := strings.Split(cpython(module), ".")
	if len(v) != 3 {
		t.Fatalf("%s does not tell the version of CPython", module)
	}
	return v[0] + "." + v[1]
}

// byHand reports whether a text is not a module's, and not in one either.
func byHand(file string) bool {
	name, _, _ := split(file)
	_, ok := brought[name]
	return name == golang || ok && name != "CPython"
}

func TestThereAreTheTextsOfAllThatIsLinked(t *testing.T) {
	want := wanted(t)
	got := filesBelow(t, "texts", "texts")
	maps.DeleteFunc(got, func(file, _ string) bool { return byHand(file) })
	if *update {
		write(t, got, want)
		return
	}
	maps.DeleteFunc(got, func(file, _ string) bool {
		name, _, _ := split(file)
		return slices.Contains(withPython, name)
	})
	if diff := cmp.Diff(slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got))); diff != "" {
		t.Fatalf("go test ./internal/licenses -update collects the texts (-want +have):\n%s", diff)
	}
	for file, content := range want {
		if got[file] != content {
			t.Errorf("%s is not what the module has: go test ./internal/licenses -update", file)
		}
	}
}

// write replaces the texts of modules, and Go's.
func write(t *testing.T, old, files map[string]string) {
	t.Helper()
	goRoot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	license, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(goRoot)), "LICENSE"))
	if err != nil {
		t.Fatal(err)
	}
	files = maps.Clone(files)
	files[golang+"/LICENSE"] = string(license)
	for file := range old {
		if err := os.Remove(filepath.Join("texts", file)); err != nil {
			t.Fatal(err)
		}
	}
	for file, content := range files {
		path := filepath.Join("texts", file)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(content), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestEveryPartHasALicenceThatIsKnown(t *testing.T) {
	names := map[string]bool{}
	for _, p := range collected() {
		names[p.Name] = true
		t.Log(p.Name, p.Version, p.Licenses)
		if len(p.Licenses) == 0 {
			t.Errorf("%s %s has no licence that is known", p.Name, p.Version)
		}
	}
	for name, module := range brought {
		if !names[name] || !names[module] {
			t.Errorf("there is no text of %s or of %s, which brings it", name, module)
		}
	}
}

func TestTheTextsOfAnEmbeddedPythonAreOfTheVersionsOfGoMod(t *testing.T) {
	for _, p := range collected() {
		if p.Name == "CPython" || !slices.Contains(withPython, p.Name) {
			continue
		}
		if version := module(t, "{{.Version}}", p.Name); p.Version != version {
			t.Errorf("the texts are of %s %s, and go.mod has %s: go test ./internal/licenses -update", p.Name, p.Version, version)
		}
	}
}

// module says something about a module.
func module(t *testing.T, format, name string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", format, name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// The module says which Graphviz and which Expat it was made from.
func TestTheTextsAreOfTheVersionsThatGraphvizWasMadeFrom(t *testing.T) {
	dir := module(t, "{{.Dir}}", brought["Graphviz"])
	graphviz, err := os.ReadFile(filepath.Join(dir, "graphviz.version"))
	if err != nil {
		t.Fatal(err)
	}
	made, err := os.ReadFile(filepath.Join(dir, "internal/wasm/build/Dockerfile"))
	if err != nil {
		t.Fatal(err)
	}
	says := map[string]string{"Graphviz": strings.TrimSpace(string(graphviz))}
	if m := regexp.MustCompile(`expat-(\d+\.\d+\.\d+)\.tar`).FindSubmatch(made); m != nil {
		says["Expat"] = string(m[1])
	}
	for _, p := range collected() {
		if version, ok := says[p.Name]; ok && p.Version != version {
			t.Errorf("the texts are of %s %s, and the module has %s", p.Name, p.Version, version)
		}
	}
	if !strings.Contains(string(made), "wasi-sdk-24") {
		t.Error("the C library is another one: look at texts/musl")
	}
}

func TestOnlyWhatIsInThisBuildIsListed(t *testing.T) {
	modules := []*debug.Module{{Path: "github.com/goccy/go-graphviz"}}
	for name, want := range map[string]bool{
		itself: true, golang: true, "Expat": true, "github.com/goccy/go-graphviz": true, "CPython": false, "github.com/spf13/cobra": false,
	} {
		if got := builtFrom(modules, name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestAllBeginWithGradtuiAndGo(t *testing.T) {
	all := All("v1.2.3")
	if len(all) < 2 || all[0].Name != itself || all[0].Version != "v1.2.3" || all[1].Name != golang || all[1].Version == "" {
		t.Errorf("%.3v", all)
	}
}
