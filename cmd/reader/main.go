//go:build js && wasm

// Command reader reads result files in a browser: it is compiled to WebAssembly, and a worker of the page that readers
// drop files on runs it once for each drop. It does no more than to hand bytes and texts over; what is read, and how,
// is package trial, which is tested everywhere.
//
// The worker sets globalThis.inferdexReader to an object with files (an array of objects with a name and bytes, a
// Uint8Array), names (a Uint8Array: a zip archive whose folders 0 and 1 hold names/*.toml, those of a catalog in the
// second), bundle (whether files are packed and not told of), units (a Uint8Array: compare.Units as JSON, for runs that are compared; null where they are not), limits
// (numbers member and unpacked, in bytes) and two functions: progress(files, bytes, done, total), and done(report,
// error, bundle), which is called once, with the report as JSON, with what went wrong, or with a Uint8Array. Where the program ends and done was
// not called, its memory was not enough.
package main

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"runtime/debug"
	"syscall/js"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/format"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/ingest/trial"
)

// softMemory is from how many bytes on memory is collected as often as it takes. The module may have a gibibyte.
const softMemory = 768 << 20

func main() {
	debug.SetMemoryLimit(softMemory)
	page := js.Global().Get("inferdexReader")
	made, err := read(page)
	switch {
	case err != nil:
		page.Call("done", "", err.Error())
	case page.Get("bundle").Truthy():
		array := js.Global().Get("Uint8Array").New(len(made))
		js.CopyBytesToJS(array, made)
		page.Call("done", "", "", array)
	default:
		page.Call("done", string(made), "")
	}
}

// read makes the report on the files of a page, or packs them.
func read(page js.Value) (made []byte, err error) {
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("the files could not be read: %v", x)
		}
	}()
	names, err := namesOf(received(page.Get("names")))
	if err != nil {
		return nil, err
	}
	limits := page.Get("limits")
	o := trial.Options{Formats: format.All(), Names: names,
		Limits: ingest.Limits{Member: int64(limits.Get("member").Float()), Unpacked: int64(limits.Get("unpacked").Float())},
		Progress: func(p ingest.Progress) {
			page.Call("progress", p.Files, float64(p.Bytes), float64(p.Done), float64(p.Total))
		}}
	if units := page.Get("units"); units.Truthy() {
		if err := json.Unmarshal(received(units), &o.Beside); err != nil {
			return nil, fmt.Errorf("the units of the catalog did not load whole: %w", err)
		}
	}
	files := page.Get("files")
	inputs := make([]ingest.Input, files.Length())
	for i := range inputs {
		f := files.Index(i)
		inputs[i] = ingest.Input{Name: f.Get("name").String(), Data: received(f.Get("bytes"))}
		f.Set("bytes", js.Null()) // what is held here need not be held there
	}
	if page.Get("bundle").Truthy() {
		return trial.Bundle(context.Background(), inputs, o)
	}
	r, err := trial.Read(context.Background(), inputs, o)
	if err != nil {
		return nil, err
	}
	return json.Marshal(r)
}

// received copies the bytes of a Uint8Array.
func received(array js.Value) []byte {
	b := make([]byte, array.Length())
	js.CopyBytesToGo(b, array)
	return b
}

// namesOf reads the names that the site was built with. Mistakes in them were said when it was built.
func namesOf(archive []byte) (*settings.Names, error) {
	z, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		return nil, fmt.Errorf("the names of models and hardware did not load whole: %w", err)
	}
	var layers []fs.FS
	for _, layer := range []string{"0", "1"} {
		below, err := fs.Sub(z, layer)
		if err != nil {
			return nil, err
		}
		layers = append(layers, below)
	}
	names, _ := settings.LoadNames(layers...)
	return names, nil
}
