package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"
)

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

// committed is when the commit was made that this was built from, nil if that is not known.
func committed() *time.Time {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return nil
	}
	for _, s := range info.Settings {
		if t, err := time.Parse(time.RFC3339, s.Value); s.Key == "vcs.time" && err == nil {
			return &t
		}
	}
	return nil
}

func versionCommand(s streams) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Say which gradtui this is, and what it was built with",
		Example: "  gradtui version",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return buffered(s.out, func(w io.Writer) error {
				_, err := fmt.Fprintf(w, "gradtui %s\n%s %s/%s\n", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
				return err
			})
		},
	}
}
