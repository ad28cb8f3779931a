//go:build js && wasm

// Command reader reads result files in a browser: it is compiled to WebAssembly, and a worker of the page that readers
// drop files on runs it once for each drop. It does no more than to hand bytes over; what is read, and how,
// is package trial, which is tested everywhere.
//
// The worker sets globalThis.inferdexReader to an object with names (a Uint8Array: what settings.ReadNames
// takes, as JSON), limits (numbers member and unpacked, in bytes) and a function
// ready(read), which is called once the program can read files, so that it can be started before there are any. Read
// takes an object with files (an array of objects with a name and bytes, a Uint8Array), bundle (whether they are packed
// for a pull request, and not reported on), units (a Uint8Array: compare.Units as JSON, for runs that are compared; null
// where they are not) and two functions: progress(files, bytes, done, total), and done(error, made), which is called
// once, with what went wrong, or with a Uint8Array: the report as JSON, or the archive. Where the program ends and done
// was not called, its memory was not enough.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"syscall/js"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/format"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/ingest/trial"
)

// softMemory is from how many bytes on memory is collected as often as it takes. The module may have a gibibyte.
const softMemory = 768 << 20

// A drop of at most smallDrop bytes lets the heap grow by heapGrowth percent before memory is collected, and not by 100:
// its program ends before it has made much that could be.
const (
	smallDrop  = 8 << 20
	heapGrowth = 400
)

func main() {
	debug.SetMemoryLimit(softMemory)
	page := js.Global().Get("inferdexReader")
	names, namesErr := namesOf(received(page.Get("names")))
	drops := make(chan js.Value, 1)
	page.Call("ready", js.FuncOf(func(_ js.Value, args []js.Value) any {
		drops <- args[0]
		return nil
	}))
	drop := <-drops
	made, err := []byte(nil), namesErr
	if err == nil {
		made, err = read(drop, page.Get("limits"), names)
	}
	if err != nil {
		drop.Call("done", err.Error(), js.Null())
		return
	}
	array := js.Global().Get("Uint8Array").New(len(made))
	js.CopyBytesToJS(array, made)
	drop.Call("done", "", array)
}

// read makes the report on the files of a drop, or packs them.
func read(drop, limits js.Value, names *settings.Names) (made []byte, err error) {
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("the files could not be read: %v", x)
		}
	}()
	o := trial.Options{Formats: format.All(), Names: names,
		Limits: ingest.Limits{Member: int64(limits.Get("member").Float()), Unpacked: int64(limits.Get("unpacked").Float())},
		Progress: func(p ingest.Progress) {
			drop.Call("progress", p.Files, float64(p.Bytes), float64(p.Done), float64(p.Total))
		}}
	if units := drop.Get("units"); units.Truthy() {
		if err := json.Unmarshal(received(units), &o.Beside); err != nil {
			return nil, fmt.Errorf("the units of the catalog did not load whole: %w", err)
		}
	}
	files := drop.Get("files")
	inputs, size := make([]ingest.Input, files.Length()), 0
	for i := range inputs {
		f := files.Index(i)
		inputs[i] = ingest.Input{Name: f.Get("name").String(), Data: received(f.Get("bytes"))}
		f.Set("bytes", js.Null()) // what is held here need not be held there
		size += len(inputs[i].Data)
	}
	if size <= smallDrop {
		debug.SetGCPercent(heapGrowth)
	}
	if drop.Get("bundle").Truthy() {
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
func namesOf(layers []byte) (*settings.Names, error) {
	var files []map[string]string
	if err := json.Unmarshal(layers, &files); err != nil {
		return nil, fmt.Errorf("the names of models and hardware did not load whole: %w", err)
	}
	names, _ := settings.ReadNames(files...)
	return names, nil
}
