package main

import (
	"fmt"
	"io"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/cli"
)

func versionCommand(s cli.Streams) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version of gradtui and of Go",
		Example: "  gradtui version",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return cli.Buffered(s.Out, func(w io.Writer) error {
				_, err := fmt.Fprintf(w, "gradtui %s\n%s %s/%s\n", cli.Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
				return err
			})
		},
	}
}
