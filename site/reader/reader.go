// Package reader carries the readers of formats for browsers within the program. `make reader` compiles them into
// built/, which is empty in a repository: a program that was built without them has none.
package reader

import (
	"embed"
	"encoding/json"
	"io/fs"
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

// PackNames packs the names of models and hardware for the readers: names/*.toml of each layer, as JSON of what
// ReadNames of ingest/settings takes. The same files give the same bytes.
func PackNames(layers ...fs.FS) ([]byte, error) {
	texts := make([]map[string]string, len(layers))
	for i, layer := range layers {
		texts[i] = map[string]string{}
		names, err := fs.Glob(layer, "names/*.toml")
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			data, err := fs.ReadFile(layer, name)
			if err != nil {
				return nil, err
			}
			texts[i][name] = string(data)
		}
	}
	return json.Marshal(texts)
}
