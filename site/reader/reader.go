// Package reader carries the readers of formats for browsers within the program. `make reader` compiles them into
// built/, which is empty in a repository: a program that was built without them has none.
package reader

import (
	"archive/zip"
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"slices"
)

//go:embed all:built
var files embed.FS

// Built are the readers as WebAssembly, gzipped, and the script that starts them; false where the program was built
// without them.
func Built() (module, starter []byte, ok bool) {
	module, err := files.ReadFile("built/reader.wasm.gz")
	if err != nil {
		return nil, nil, false
	}
	starter, err = files.ReadFile("built/wasm_exec.js")
	return module, starter, err == nil
}

// PackNames packs the names of models and hardware for the readers: names/*.toml of each layer, which LoadNames of
// ingest/settings reads in that order, below the number of the layer. The same files give the same bytes.
func PackNames(layers ...fs.FS) ([]byte, error) {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for i, layer := range layers {
		names, err := fs.Glob(layer, "names/*.toml")
		if err != nil {
			return nil, err
		}
		slices.Sort(names)
		for _, name := range names {
			data, err := fs.ReadFile(layer, name)
			if err != nil {
				return nil, err
			}
			w, err := z.Create(fmt.Sprintf("%d/%s", i, name))
			if err != nil {
				return nil, err
			}
			if _, err := w.Write(data); err != nil {
				return nil, err
			}
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
