package hugo

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
	"github.com/spf13/afero"
)

// Join puts the files assets/KIND/NAME.KIND of the given names one after the other, kind being "css" or "ts"; one
// that is not there is left out. Hugo, which gets one text, cannot say in which file a mistake stands: of a script
// it is the error, of a style sheet, which browsers read on behind one, a finding.
func (f *Feed) Join(kind string, names []string) (string, error) {
	var all joined
	var wrong []string
	for _, name := range names {
		file := path.Join("assets", kind, name+"."+kind)
		data, err := afero.ReadFile(f.source, path.Join(workDir, file))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		all.add(file, string(data))
		// A bracket that is not closed would be missed at the end of the last file.
		var alone joined
		alone.add(file, string(data))
		wrong = append(wrong, alone.mistakes(kind)...)
	}
	if len(wrong) == 0 {
		wrong = all.mistakes(kind)
	}
	if kind == "css" {
		f.out.found(wrong)
	} else if len(wrong) > 0 {
		return "", errors.New(wrong[0])
	}
	return all.text.String(), nil
}

// joined is a text made of several files.
type joined struct {
	text  strings.Builder
	files []string // The file of each line.
	first []int    // The line on which that file begins.
}

func (t *joined) add(file, data string) {
	if !strings.HasSuffix(data, "\n") {
		data += "\n"
	}
	begin := len(t.files)
	for range strings.Count(data, "\n") {
		t.files, t.first = append(t.files, file), append(t.first, begin)
	}
	t.text.WriteString(data)
}

// place is a message with the file, line and column that it is about.
func (t *joined) place(m api.Message) string {
	if m.Location == nil || len(t.files) == 0 {
		return m.Text
	}
	line := max(m.Location.Line, 1)
	i := min(line, len(t.files)) - 1 // what is missing at the end is told behind the last line
	return fmt.Sprintf("%s:%d:%d: %s", t.files[i], line-t.first[i], m.Location.Column+1, m.Text)
}

// mistakes are those of a text of a kind, each with its place.
func (t *joined) mistakes(kind string) (list []string) {
	loader := api.LoaderTS
	if kind == "css" {
		loader = api.LoaderCSS
	}
	refuse := func(a api.OnResolveArgs) (api.OnResolveResult, error) {
		if a.Kind == api.ResolveCSSURLToken {
			return api.OnResolveResult{External: true}, nil
		}
		return api.OnResolveResult{}, fmt.Errorf("%q cannot be imported: all files of assets/%s become one, and "+
			"nothing is fetched", a.Path, kind)
	}
	result := api.Build(api.BuildOptions{
		Stdin: &api.StdinOptions{Contents: t.text.String(), Loader: loader}, Bundle: true, Target: api.ES2020,
		Plugins: []api.Plugin{{Name: "joined",
			Setup: func(b api.PluginBuild) { b.OnResolve(api.OnResolveOptions{Filter: ".*"}, refuse) }}},
	})
	messages := result.Errors
	if kind == "css" {
		messages = append(messages, result.Warnings...)
	}
	for _, m := range messages {
		list = append(list, t.place(m))
	}
	return list
}
