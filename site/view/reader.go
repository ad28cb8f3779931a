package view

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"

	"github.com/inferdex/inferdex/site/page"
)

// PathCheck is the page that reads files of its readers.
const PathCheck = "check"

// Reader is what a browser reads files with.
type Reader struct {
	// Module is the readers of formats as WebAssembly, gzipped, Starter the script that starts it. Names are the names
	// of models and hardware, packed as site/reader packs them.
	Module, Starter, Names []byte
}

// files are what the page loads when a file is chosen: the module, the starter, the names. A digest of the content
// stands in each name, so that what a browser has kept is never that of another build.
func (r *Reader) files() [3]page.File {
	file := func(name, extension string, data []byte) page.File {
		sum := sha256.Sum256(data)
		return page.File{Path: PathCheck + "/" + name + "." + hex.EncodeToString(sum[:6]) + extension,
			Of: hex.EncodeToString(sum[:]),
			Write: func(w io.Writer) error {
				_, err := io.Copy(w, bytes.NewReader(data))
				return err
			}}
	}
	return [3]page.File{file("reader", ".wasm.gz", r.Module), file("go", ".js", r.Starter), file("names", ".json", r.Names)}
}
