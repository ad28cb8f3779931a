package main

import (
	"context"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/inferdex/inferdex/site/serve"
)

func (a *app) serveCommand() *cobra.Command {
	var f buildFlags
	var addr string
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Build, serve on this machine, rebuild and reload on change",
		Long: `Build the site, serve it on localhost, and build it again whenever data, content, layouts,
assets or inferdex.toml change; open pages reload by themselves. A change of data/raw is ingested
first. While a build fails, the last good site is shown with the error over it.`,
		Example: `  inferdex serve
  inferdex serve --addr 127.0.0.1:8080`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if _, port, err := net.SplitHostPort(addr); addr != "" {
				if _, unknown := net.LookupPort("tcp", port); err != nil || unknown != nil {
					return usage("--addr %q: write an address and a port, such as 127.0.0.1:8080", addr)
				}
			}
			output, err := filepath.Abs(a.path(f.output))
			if err != nil {
				return failed(err)
			}
			state := filepath.Join(filepath.Dir(output), stateDir) // where package publish cannot keep it elsewhere
			// What the rebuild itself ingests must not start the next one.
			written, err := filepath.Abs(a.path(catalogDir))
			if err != nil {
				return failed(err)
			}
			var watch []string
			for _, p := range append([]string{configFile}, madeOf...) {
				watch = append(watch, a.path(p))
			}
			return asFailed(serve.Run(cmd.Context(), serve.Options{
				Addr: addr, Watch: watch,
				Dir: func() fs.FS {
					if _, err := os.Stat(output); err != nil {
						return nil
					}
					return published(output)
				},
				Ignore: func(p string) bool {
					own := []string{output, state}
					if _, err := os.Stat(a.path(rawDir)); err == nil {
						own = append(own, written)
					}
					for _, own := range own {
						if p == own || strings.HasPrefix(p, own+string(filepath.Separator)) {
							return true
						}
					}
					return false
				},
				Rebuild: func(ctx context.Context) error { return a.rebuild(ctx, f) },
				Log:     a.say,
				Ready:   func(url string) { a.say("serving %s (stop with Ctrl-C)", url) },
			}))
		},
	}
	f.register(cmd)
	cmd.Flags().StringVar(&addr, "addr", "", "`HOST:PORT` to listen on (default 127.0.0.1:1313, or the next free port)")
	return cmd
}

// rebuild ingests and builds. What is wrong in settings is part of its error: it is shown in the page.
func (a *app) rebuild(ctx context.Context, f buildFlags) error {
	a.mistakes = nil
	err := func() error {
		if _, err := os.Stat(a.path(rawDir)); err == nil {
			// Without a text, what there is to say was said: nothing recognised, say.
			if err := a.ingest(ctx, ingestFlags{}, nil); err != nil && err.Error() != "" {
				return err
			}
		}
		return a.build(ctx, f)
	}()
	slices.Sort(a.mistakes) // names are read twice
	text := strings.Join(slices.Compact(a.mistakes), "\n")
	switch {
	case text == "":
		return err
	case err != nil:
		return fmt.Errorf("%s\n%w", text, err)
	}
	return &serve.Mistakes{Text: text}
}

func asFailed(err error) error {
	if err == nil {
		return nil
	}
	return failed(err)
}
