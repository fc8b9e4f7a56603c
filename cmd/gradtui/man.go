package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/cli"
)

func manCommand(s cli.Streams) *cobra.Command {
	dir := ""
	c := &cobra.Command{
		Use:   "man [COMMAND]",
		Short: "Write manual pages",
		Long: `man writes the manual page of gradtui, or of one of its commands, in roff. With --dir
it writes the pages of all commands to a folder.`,
		Example: `  gradtui man check > gradtui-check.1
  gradtui man --dir ~/.local/share/man/man1`,
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			root.DisableAutoGenTag = true
			head := func() *doc.GenManHeader {
				return &doc.GenManHeader{Section: "1", Source: "gradtui " + cli.Version(), Manual: "gradtui", Date: cli.Committed()}
			}
			if dir == "" {
				page, rest, err := root.Find(args)
				if err == nil && len(rest) > 0 {
					err = fmt.Errorf("unknown command %q for %q", rest[0], page.CommandPath())
				}
				if err != nil {
					return err
				}
				return doc.GenMan(page, head(), s.Out)
			}
			if len(args) > 0 {
				return errors.New("--dir writes the pages of all commands; leave out " + cli.Printable(strings.Join(args, " ")))
			}
			if info, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) || err == nil && !info.IsDir() {
				return fmt.Errorf("--dir %s: no such folder", cli.Printable(dir))
			}
			return doc.GenManTree(root, head(), dir)
		},
	}
	c.Flags().StringVar(&dir, "dir", "", "the `folder` to write the pages of all commands into")
	return c
}
