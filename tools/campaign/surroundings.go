//go:build unix

package main

import (
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

//go:embed programs/small.py
var small string

// A surrounding is a place or a limit under which a small program is recorded.
type surrounding struct {
	name string
	// set prepares it; false: this machine does not allow it.
	set func(t *trial) bool
	// under are shell commands before gradtui, such as a ulimit. $G is the recording command.
	under string
	// says is what gradtui must say or the program must print, as a regular expression.
	says string
	root bool // needs root
}

// ran is what the small program prints at its end.
const ran = "the program ran to its end"

var surroundingsTable = []surrounding{
	{name: "nothing special", says: ran},
	{name: "no HOME", under: "unset HOME XDG_CACHE_HOME; $G", says: ran},
	{name: "HOME does not exist", under: "unset XDG_CACHE_HOME; HOME=/nonexistent/x $G", says: ran},
	{name: "HOME is a file", under: "unset XDG_CACHE_HOME; HOME=$PWD/small.py $G", says: ran},
	{name: "an empty environment", under: `env -i PATH="$PATH" $G`, says: ran},
	{name: "a relative XDG_CACHE_HOME", under: "XDG_CACHE_HOME=somewhere $G", says: ran},
	{name: "TMPDIR does not exist", under: "TMPDIR=$PWD/missing $G", says: ran + "|TMPDIR|no such"},
	{name: "TMPDIR is a file", under: "TMPDIR=$PWD/small.py $G", says: ran + "|TMPDIR|not a directory"},
	{name: "TMPDIR with 75 characters", set: longTemporary(75), says: ran},
	{name: "TMPDIR with 103 characters", set: longTemporary(103), says: ran},
	{name: "TMPDIR with 120 characters", set: longTemporary(120), says: ran},
	{name: "TMPDIR with 300 characters", set: longTemporary(300), says: ran},
	{name: "files of 8 kB at most", under: "ulimit -f 16; $G", says: ran + "|large|limit"},
	{name: "files of 2 MB at most", under: "ulimit -f 4096; $G", says: ran + "|large|limit"},
	{name: "32 open files", under: "ulimit -n 32; $G", says: ran + "|open files"},
	{name: "12 open files", under: "ulimit -n 12; $G", says: ran + "|open files"},
	{name: "3 GB of address space", under: "ulimit -v 3000000; $G", says: ran + "|memory"},
	{name: "no standard streams", under: "$G <&- >&- 2>&-"},
	{name: "a full disk for the tape", root: true, set: fullDisk("disk"), under: "$G -o disk/run.tape", says: "space"},
	{name: "a full TMPDIR", root: true, set: fullDisk("disk"), under: "TMPDIR=$PWD/disk $G", says: ran + "|space|TMPDIR"},
	{name: "a full cache", root: true, set: fullDisk("disk"), under: "XDG_CACHE_HOME=$PWD/disk $G", says: ran},
	{name: "a read-only TMPDIR", root: true, set: readOnly("disk"), under: "TMPDIR=$PWD/disk $G", says: ran + "|TMPDIR|read-only"},
	{name: "a read-only cache", root: true, set: readOnly("disk"), under: "XDG_CACHE_HOME=$PWD/disk $G", says: ran},
	{name: "a read-only folder for the tape", root: true, set: readOnly("disk"), under: "$G -o disk/run.tape", says: "read-only"},
	{name: "a cache that another user wrote", root: true, set: strangersCache, under: "XDG_CACHE_HOME=$PWD/cache $G", says: ran},
	{name: "another user, without a home", root: true, set: func(t *trial) bool { return os.Chmod(t.dir, 0o777) == nil && os.Chmod(t.tmp, 0o777) == nil },
		under: `exec setpriv --reuid 65534 --regid 65534 --clear-groups env -u XDG_CACHE_HOME HOME=/nonexistent $G`, says: ran + "|ermission"},
	{name: "a path of 2000 characters", set: deep, under: `cd "$DEEP" && $G`, says: ran + "|too long"},
	{name: "a name that is too long", under: "$G -o " + strings.Repeat("x", 300) + ".tape", says: "too long"},
	{name: "the folder is gone", under: `mkdir gone && cd gone && rmdir "$PWD" && $G`, says: ran + "|no such|director|gone"},
}

// surroundings records a small program in each of them, and then asks that nothing that a
// person has is lost.
func surroundings(l *lab) {
	for _, s := range surroundingsTable {
		if s.root && os.Geteuid() != 0 {
			l.skip()
			continue
		}
		l.try(s.name, func(t *trial) {
			t.write("small.py", small)
			if s.set != nil && !s.set(t) {
				t.skip()
				return
			}
			under := s.under
			if under == "" {
				under = "$G"
			}
			// "$G" as a word of its own, with the tape behind it unless one is named.
			flags := strings.Join(t.engineFlags(), " ")
			g := fmt.Sprintf(`%q record %s -f %q`, t.bin, flags, filepath.Join(t.dir, "small.py"))
			if !strings.Contains(under, "-o ") {
				g += fmt.Sprintf(" -o %q", filepath.Join(t.dir, "run.tape"))
			}
			r := t.command("", "bash", "-c", strings.ReplaceAll(under, "$G", g))
			if !regexp.MustCompile(s.says).MatchString(r.stdout + r.stderr) {
				t.fail("exit code %d, stdout %.100q, stderr %.300q", r.code, r.stdout, r.stderr)
			}
			t.expectClean()
		})
	}
	for _, o := range outputsTable {
		l.try(o.name, func(t *trial) { o.run(t) })
	}
}

// An outputs trial names a file that must not be lost as an output.
var outputsTable = []struct {
	name string
	run  func(t *trial)
}{
	{"record -o the program", func(t *trial) { t.keeps("small.py", small, "record", "-f", "small.py", "-o", "small.py") }},
	{"record -o a link to the program", func(t *trial) {
		t.write("small.py", small)
		if err := os.Symlink("small.py", filepath.Join(t.dir, "x.tape")); err != nil {
			t.fail("%v", err)
		}
		t.keeps("small.py", small, "record", "-f", "small.py", "-o", "x.tape")
	}},
	{"check -o the program", func(t *trial) { t.keeps("small.py", small, "check", "small.py", "-o", "small.py") }},
	{"export -o the program", func(t *trial) { t.keeps("small.py", small, "export", "small.py", "--format", "dot", "-o", "small.py") }},
	{"stat -o the tape", func(t *trial) { t.keepsTape("check", "run.tape", "--format", "json", "-o", "run.tape") }},
	{"export -o the tape", func(t *trial) { t.keepsTape("export", "run.tape", "--format", "dot", "-o", "run.tape") }},
	{"a program without torch over a tape", func(t *trial) {
		t.write("other.py", "print(1)\n")
		t.keepsTape("record", "-f", "other.py", "-o", "run.tape")
	}},
	{"a program that does not exist over a tape", func(t *trial) { t.keepsTape("record", "-f", "missing.py", "-o", "run.tape") }},
}

// keeps runs a command that must leave a file as it is.
func (t *trial) keeps(name, text, command string, args ...string) {
	t.write(name, text)
	t.gradtui(append(append([]string{command}, t.engineFlags()...), args...)...)
	if now, err := os.ReadFile(filepath.Join(t.dir, name)); err != nil || string(now) != text {
		t.fail("%s is lost or changed", name)
	}
}

// keepsTape is keeps for a tape that has just been recorded.
func (t *trial) keepsTape(command string, args ...string) {
	tape, ok := t.record("run.py", small)
	if !ok {
		return
	}
	before, err := os.ReadFile(tape)
	if err != nil {
		t.fail("%v", err)
		return
	}
	if command == "record" {
		args = append(t.engineFlags(), args...)
	}
	t.gradtui(append([]string{command}, args...)...)
	if now, err := os.ReadFile(tape); err != nil || string(now) != string(before) {
		t.fail("the tape is lost or changed")
	}
}

// longTemporary makes a TMPDIR whose path has so many characters.
func longTemporary(length int) func(*trial) bool {
	return func(t *trial) bool {
		for len(t.tmp) < length {
			t.tmp = filepath.Join(t.tmp, strings.Repeat("t", min(max(length-len(t.tmp)-1, 1), 200)))
		}
		return os.MkdirAll(t.tmp, 0o700) == nil
	}
}

// mount puts a small file system below the trial's folder, for as long as the trial lasts.
func mount(t *trial, name, options string) bool {
	dir := filepath.Join(t.dir, name)
	if os.Mkdir(dir, 0o777) != nil || exec.Command("mount", "-t", "tmpfs", "-o", options, "tmpfs", dir).Run() != nil {
		return false
	}
	t.after = append(t.after, func() { exec.Command("umount", "-l", dir).Run() })
	return true
}

func fullDisk(name string) func(*trial) bool {
	return func(t *trial) bool {
		return mount(t, name, "size=64k") && exec.Command("dd", "if=/dev/zero", "of="+filepath.Join(t.dir, name, "full"), "bs=1k").Run() != nil
	}
}

func readOnly(name string) func(*trial) bool {
	return func(t *trial) bool { return mount(t, name, "ro") }
}

// deep makes a folder at a path of some 2000 characters.
func deep(t *trial) bool {
	dir := t.dir
	for range 10 {
		dir = filepath.Join(dir, strings.Repeat("d", 200))
	}
	t.env = append(t.env, "DEEP="+dir)
	return os.MkdirAll(dir, 0o755) == nil
}

// strangersCache fills a cache, gives it to another user, and changes what would be run
// from it: nothing of that may run.
func strangersCache(t *trial) bool {
	cache := filepath.Join(t.dir, "cache")
	if os.Mkdir(cache, 0o755) != nil {
		return false
	}
	env := t.env
	t.env = append(t.env, "XDG_CACHE_HOME="+cache)
	t.gradtui(append(append([]string{"run", "--plain"}, t.engineFlags()...), "small.py")...)
	t.env = env
	return filepath.WalkDir(cache, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if strings.HasSuffix(path, ".py") {
			if err := os.WriteFile(path, []byte("raise SystemExit('a stranger has run')\n"), 0o644); err != nil {
				return err
			}
		}
		return os.Lchown(path, 65534, 65534)
	}) == nil
}
