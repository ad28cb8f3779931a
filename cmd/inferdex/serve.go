package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/site/incremental"
	"github.com/inferdex/inferdex/site/publish"
	"github.com/inferdex/inferdex/site/serve"
)

func (a *app) serveCommand() *cobra.Command {
	f := siteFlags()
	var addr string
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Build, serve on this machine, rebuild and reload on change",
		Long: `Build the site, serve it on localhost, and build it again whenever data, content, layouts,
assets or inferdex.toml change; open pages reload by themselves. A change of data/raw is ingested
first. While a build fails, the last good site is shown with the error over it.`,
		Example: `  inferdex serve
  inferdex serve --addr 127.0.0.1:8080`,
		Args: atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			thrift(buildRoom)
			if _, port, err := net.SplitHostPort(addr); addr != "" {
				if _, unknown := net.LookupPort("tcp", port); err != nil || unknown != nil {
					return usage("--addr %q: write an address and a port, such as 127.0.0.1:8080", addr)
				}
			}
			if err := a.siteApart(f.output); err != nil {
				return err
			}
			output, err := filepath.Abs(a.path(f.output))
			if err != nil {
				return failed(err)
			}
			state := filepath.Join(filepath.Dir(output), stateDir) // where package publish cannot keep it elsewhere
			var watch []string
			for _, p := range append([]string{configFile, lockFile}, madeOf...) {
				watch = append(watch, a.path(p))
			}
			rebuild := a.rebuilding(f)
			return asFailed(serve.Run(cmd.Context(), serve.Options{
				Addr: addr, Watch: watch,
				Dir: func() fs.FS {
					if _, err := os.Stat(output); err != nil {
						return nil
					}
					return published(output)
				},
				Ignore: func(p string) bool {
					for _, own := range []string{output, state} {
						if p == own || strings.HasPrefix(p, own+string(filepath.Separator)) {
							return true
						}
					}
					return false
				},
				Rebuild: rebuild,
				Log:     a.say,
				Ready:   func(url string) { a.say("serving %s (stop with Ctrl-C)", url) },
			}))
		},
	}
	f.register(cmd)
	cmd.Flags().StringVar(&addr, "addr", "", "`HOST:PORT` to listen on (default 127.0.0.1:1313, or the next free port)")
	return cmd
}

// rebuilding ingests and builds each time it is called. What is wrong in settings is part of its error: it is shown in the
// page.
func (a *app) rebuilding(f buildFlags) func(context.Context, func(string)) error {
	a.decoded = &catalog.Known{}
	var last caught
	return func(ctx context.Context, wrote func(string)) error {
		a.mistakes = nil
		err := a.ingestNew(ctx, &last, a.sums(builtSums).clockOfDisk())
		if written, err := filepath.Abs(a.path(catalogDir)); err == nil {
			wrote(written) // What is ingested here must not start the next rebuild; what another program ingests has to.
		}
		if err == nil {
			err = a.buildInTurn(ctx, f)
		}
		if err != nil {
			err = errors.New(plainly(err))
		}
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
}

// buildInTurn builds as soon as no other program does: a page that said so would say it until the next change.
func (a *app) buildInTurn(ctx context.Context, f buildFlags) error {
	for told := false; ; told = true {
		err := a.build(ctx, f)
		if !errors.Is(err, publish.ErrLocked) {
			return err
		}
		if !told {
			a.note("another build is writing this site: waiting for it")
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// caught is what data/raw was when all of it was in the catalog. The zero value is that of no time.
type caught struct {
	// raw is how the system told each file, zero where an edit may leave that as it is.
	raw map[string]publish.Told
	// rest is the digest of all else that an ingest is made of, catalog that of what it left.
	rest, catalog incremental.Digest
}

// ingestNew ingests of data/raw what is not in the catalog yet: folders with new or changed results, or all of it where
// anything else changed since the last time, or where that said that something is wrong: it is said again. Clock is the time by
// that of the disk, 0 where it is not known.
func (a *app) ingestNew(ctx context.Context, last *caught, clock int64) error {
	if _, err := os.Stat(a.path(rawDir)); err != nil {
		return nil
	}
	was := *last
	*last = caught{}
	// All is looked at before it is read: what changes meanwhile is read again the next time.
	now, known := a.toIngest(clock)
	var folders []string
	var unchanged func(path string) bool
	if known && was.rest == now.rest {
		if files, err := a.catalogFiles(); err == nil && files.Digest() == was.catalog {
			if folders = changedFolders(was.raw, now.raw); folders != nil {
				unchanged = func(p string) bool { return asBefore(was.raw, now.raw, p) }
			}
		}
	}
	if folders == nil || len(folders) > 0 {
		err := a.ingest(ctx, ingestFlags{unchanged: unchanged}, folders)
		// Without a text, what there is to say was said: nothing recognised, say.
		if err != nil && err.Error() != "" {
			return err
		}
		known = known && err == nil && len(a.mistakes) == 0
	}
	if files, err := a.catalogFiles(); err == nil && known {
		*last = now
		last.catalog = files.Digest()
	}
	return nil
}

// toIngest is what an ingest of data/raw is made of; false where that is not known, or a part of it depends on more than
// its own files: paths that settings speak of count from the folder that is ingested.
func (a *app) toIngest(clock int64) (now caught, ok bool) {
	conf, err := a.readSettings(configFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return now, false
	}
	if c, wrong := settings.LoadConfig(conf, configFile); len(wrong) > 0 || len(c.PathRules) > 0 {
		return now, false
	}
	now.rest, err = incremental.Shared(strings.NewReader(""), string(conf), a.inside(namesDir), a.inside(notesDir))
	if err != nil || clock == 0 {
		return now, false
	}
	now.raw = map[string]publish.Told{}
	err = filepath.WalkDir(a.path(rawDir), func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		told := publish.ToldOf(info)
		if told == (publish.Told{}) {
			return errUntold // a link, or the system tells nothing
		}
		if !told.Rested(clock) {
			told = publish.Told{}
		}
		name, err = filepath.Rel(a.path(rawDir), name)
		now.raw[filepath.ToSlash(name)] = told
		return err
	})
	return now, err == nil
}

var errUntold = errors.New("nothing is told of a file")

// asBefore reports whether the file of a path below data/raw, or the archive that has it, is as it was.
func asBefore(was, now map[string]publish.Told, p string) bool {
	archive, _, _ := strings.Cut(p, "!")
	for _, name := range []string{p, archive} {
		if told, ok := now[strings.TrimPrefix(name, rawDir+"/")]; ok {
			return told != (publish.Told{}) && told == was[strings.TrimPrefix(name, rawDir+"/")]
		}
	}
	return false
}

// changedFolders are the folders of results that are new or changed, each without those below it. It is empty where
// nothing changed, and nil where more did: a file is gone, it speaks for others, or no folder of its own holds it.
func changedFolders(was, now map[string]publish.Told) []string {
	for name := range was {
		if _, ok := now[name]; !ok {
			return nil
		}
	}
	folders := []string{}
	for name, told := range now {
		if before, ok := was[name]; ok && before == told && told != (publish.Told{}) {
			continue
		}
		if !strings.Contains(name, "/") || settings.IsSidecar(path.Base(name)) {
			return nil
		}
		folders = append(folders, rawDir+"/"+path.Dir(name)+"/")
	}
	slices.Sort(folders)
	var outer []string
	for _, f := range slices.Compact(folders) {
		if len(outer) == 0 || !strings.HasPrefix(f, outer[len(outer)-1]) {
			outer = append(outer, f)
		}
	}
	for i, f := range outer {
		outer[i] = strings.TrimSuffix(f, "/")
	}
	return append(folders[:0], outer...)
}
