package main

import "runtime/debug"

// version is the module's version, or the commit it was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	v := info.Main.Version
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && (v == "" || v == "(devel)") {
			v = "built from " + s.Value
		}
	}
	if v == "" {
		return "(devel)"
	}
	return v
}
