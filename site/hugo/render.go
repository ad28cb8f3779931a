package hugo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/bep/logg"
	"github.com/gohugoio/hugo/common/loggers"
	"github.com/gohugoio/hugo/config"
	"github.com/gohugoio/hugo/config/allconfig"
	"github.com/gohugoio/hugo/deps"
	"github.com/gohugoio/hugo/hugofs"
	"github.com/gohugoio/hugo/hugolib"
	"github.com/spf13/afero"

	"github.com/inferdex/inferdex/site/incremental"
)

// contentAdapter is a file in Hugo's content folder that takes pages from Feed.Pages. A page with a text of
// content/ has one of its own, because Hugo calls a place in the text a place in the adapter.
const contentAdapter = `{{ range site.Params.inferdex.Pages "%s" }}{{ $.AddPage . }}{{ end }}`

// atOnce is how many pages may fail in one rendering. Hugo stops after ten, and may then wait for
// itself forever: the one that hands out pages for those that have stopped rendering them.
const atOnce = 9

// together is how many pages Hugo has at once. It holds some 15 kB of each, from before it renders the first until it has
// rendered the last. To begin anew takes it as long as to render a hundred.
const together = 2500

// renderParts has Hugo render the pages of feed: one of each kind first, so that a mistake in a layout is found before
// thousands of pages meet it, and the others so many at a time that Hugo need not hold all. Where layouts may ask for
// other pages, it has all at once.
func renderParts(ctx context.Context, feed *Feed) error {
	parts := [][]*job{feed.jobs}
	if alone, err := feed.alone(); err != nil {
		return err
	} else if alone {
		parts = divided(feed.jobs, feed.comparing())
	}
	for _, part := range parts {
		f := *feed
		f.jobs = part
		if err := render(ctx, &f); err != nil {
			return err
		}
	}
	return nil
}

// alone says whether layouts ask for nothing but what is of their page.
func (f *Feed) alone() (bool, error) {
	for _, l := range f.in.Layouts {
		if alone, err := incremental.Alone(l); err != nil || !alone {
			return false, err
		}
	}
	return true, nil
}

// divided are the pages that Hugo is to have at once, for one time after the other. Layouts that are proven rendered
// the last site.
func divided(jobs []*job, proven bool) (parts [][]*job) {
	if !proven {
		var first, rest []*job
		seen := map[string]bool{}
		for _, j := range jobs {
			if seen[j.kind] {
				rest = append(rest, j)
			} else {
				first = append(first, j)
			}
			seen[j.kind] = true
		}
		parts, jobs = append(parts, first), rest
	}
	n := (len(jobs) + together - 1) / together
	for i := range n {
		parts = append(parts, jobs[i*len(jobs)/n:(i+1)*len(jobs)/n])
	}
	return parts
}

// errStuck is what render says when Hugo stopped without saying why.
var errStuck = errors.New("hugo stopped after ten pages that it could not render")

// render has Hugo render the pages of feed. The error says where and why.
func render(ctx context.Context, feed *Feed) error {
	sites, err := load(feed)
	if err != nil {
		return feed.explain(err)
	}
	result := make(chan error, 1)
	go func() {
		result <- guard(func() error { return sites.Build(hugolib.BuildCfg{NoBuildLock: true}) })
		sites.Close()
	}()
	select {
	case err = <-result:
	case <-ctx.Done():
		return feed.out.fail(ctx.Err())
	case <-feed.out.stopped:
		return feed.out.failed()
	case <-sites.Done():
		select {
		case err = <-result:
		case <-time.After(time.Second):
			return feed.out.fail(diagnose(ctx, feed))
		}
	}
	if own := feed.out.failed(); own != nil {
		return own
	}
	if err != nil {
		return feed.explain(err)
	}
	return nil
}

// diagnose renders the pages that were not written again, few enough at a time to be told why one of them fails.
// Those that fail may stand behind many that Hugo had not come to.
func diagnose(ctx context.Context, feed *Feed) error {
	if len(feed.jobs) <= atOnce {
		return errStuck
	}
	for some := range slices.Chunk(feed.out.unwritten(feed.jobs), atOnce) {
		f := *feed
		f.jobs, f.out, f.log = some, feed.out.rehearsal(), &log{}
		if err := render(ctx, &f); err != nil {
			return err
		}
	}
	return errStuck
}

// load has Hugo read the layouts and assets of feed.
func load(feed *Feed) (*hugolib.HugoSites, error) {
	adapters := map[string]string{"hugo.toml": "", "content/_content.gotmpl": fmt.Sprintf(contentAdapter, "")}
	for _, j := range feed.jobs {
		adapter := j.adapter()
		adapters[path.Join("content", adapter, "_content.gotmpl")] = fmt.Sprintf(contentAdapter, adapter)
	}
	for name, text := range adapters {
		if err := afero.WriteFile(feed.source, path.Join(workDir, name), []byte(text), 0o666); err != nil {
			return nil, err
		}
	}
	flags := settings(feed)
	logger := loggers.New(loggers.Options{
		StdOut: feed.log, StdErr: feed.log, Level: logg.LevelWarn, DistinctLevel: logg.LevelWarn,
	})
	configs, err := allconfig.LoadConfig(allconfig.ConfigSourceDescriptor{
		Fs:       feed.source,
		Flags:    flags,
		Filename: workDir + "/hugo.toml",
		Logger:   logger,
		// Not empty, so that no variable HUGO_... of the machine has a say.
		Environ:      []string{"INFERDEX=1"},
		Environment:  "production",
		SkipNpmCheck: true,
	})
	if err != nil {
		return nil, err
	}
	return hugolib.NewHugoSites(deps.DepsCfg{
		Configs:  configs,
		Fs:       hugofs.NewFromSourceAndDestination(feed.source, newPublishFS(feed.out), flags),
		StdOut:   feed.log,
		StdErr:   feed.log,
		LogLevel: logg.LevelWarn,
	})
}

// settings are Hugo's: those of the site, and that it does nothing but render.
func settings(feed *Feed) config.Provider {
	params := map[string]any{}
	maps.Copy(params, feed.in.Params)
	params["inferdex"] = feed
	params["base_url"] = feed.base
	if !feed.in.BuildDate.IsZero() {
		params["build_date"] = feed.in.BuildDate.UTC().Format(time.DateOnly)
	}
	language := cmp.Or(feed.in.Language, "en")
	flags := config.New()
	for k, v := range map[string]any{
		"workingDir":                 workDir,
		"publishDir":                 "public",
		"cacheDir":                   workDir + "/cache",
		"baseURL":                    feed.base,
		"title":                      feed.in.Title,
		"defaultContentLanguage":     strings.ToLower(language),
		"locale":                     language,
		"disableKinds":               []string{"section", "taxonomy", "term", "rss", "sitemap", "robotstxt", "404"},
		"disableHugoGeneratorInject": true,
		"enableRobotsTXT":            false,
		"timeout":                    "10m",
		"params":                     params,
		"markup": map[string]any{
			"goldmark": map[string]any{
				"renderer":   map[string]any{"unsafe": false},
				"extensions": map[string]any{"linkify": true},
				"parser":     map[string]any{"autoHeadingID": true},
			},
			"highlight": map[string]any{"noClasses": false, "style": "github"},
		},
		"outputs": map[string]any{"home": []string{"html"}, "page": []string{"html"}},
		// Layouts come from whoever wrote the catalog, but a build asks for nothing outside it.
		"security": map[string]any{
			"exec":  map[string]any{"allow": []string{"none"}, "osEnv": []string{"none"}},
			"funcs": map[string]any{"getenv": []string{"none"}},
			"http":  map[string]any{"urls": []string{"none"}, "methods": []string{"none"}},
		},
	} {
		flags.Set(k, v)
	}
	return flags
}
