package settings

import (
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"
)

// LoadNames reads names/*.toml of each layer, as [ReadNames] does. Layers may be nil.
func LoadNames(layers ...fs.FS) (*Names, []Diagnostic) {
	var diags []Diagnostic
	texts := make([]map[string]string, len(layers))
	for layer, fsys := range layers {
		if fsys == nil {
			continue
		}
		texts[layer] = map[string]string{}
		files, err := fs.ReadDir(fsys, "names")
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			diags = append(diags, unreadable("names", err))
		}
		for _, f := range files {
			name := "names/" + f.Name()
			if path.Ext(name) != ".toml" {
				continue
			}
			data, err := fs.ReadFile(fsys, name)
			if err != nil {
				diags = append(diags, unreadable(name, err))
				continue
			}
			texts[layer][name] = string(data)
		}
	}
	n, wrong := ReadNames(texts...)
	return n, append(diags, wrong...)
}

// ReadNames reads the files of names of each layer by their paths below data/: the program's own first, then a
// catalog's. An entry of a later layer changes, key by key, the entry of the same id before it, and adds its
// aliases to the others; where two layers use one alias, the later wins.
//
// A file may hold [[model]], [[accelerator]], [[engine]], [[wrapper]], [[tool]], [[quantization]],
// [[price]] and [[change]] tables, whatever its name is.
func ReadNames(layers ...map[string]string) (*Names, []Diagnostic) {
	n := &Names{
		models: newEntries[*Model](modelKey), modelBases: map[string]int{}, modelSlugs: map[string]int{},
		accelerators: newEntries[*Accelerator](accKey), engines: newEntries[*engine](accKey),
		quantizations: newEntries[*Quantization](quantKey),
		wrappers:      map[string]Wrapper{}, tools: map[string]Tool{}, notArguments: map[string]string{},
	}
	tables := map[string][]namesTable{} // by their kinds
	var tops []*table
	for layer, files := range layers {
		for _, name := range slices.Sorted(maps.Keys(files)) {
			_, t := parse("data/"+name, []byte(files[name]))
			tops = append(tops, t)
			for _, kind := range []string{"model", "accelerator", "engine", "wrapper", "tool", "price", "change",
				"quantization"} {
				for _, e := range t.tables(kind) {
					tables[kind] = append(tables[kind], namesTable{e, layer})
				}
			}
		}
	}
	n.readAccelerators(tables["accelerator"])
	n.readModels(tables["model"])
	n.readEngines(tables["engine"])
	n.readWrappers(tables["wrapper"])
	n.readTools(tables["tool"])
	n.readPrices(tables["price"])
	n.readChanges(tables["change"])
	n.readQuantizations(tables["quantization"])
	var diags []Diagnostic
	for _, t := range tops {
		t.close()
		diags = append(diags, t.doc.sorted()...)
	}
	return n, diags
}

// unreadable is what is said of a file of names that cannot be read.
func unreadable(name string, err error) Diagnostic {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		err = pe.Err
	}
	return Diagnostic{File: "data/" + name, Message: err.Error(), Unread: true}
}
