// Package bundle makes archives of catalogs: the same files give the same bytes. A submission is what ingest would keep
// of results, as files that are unpacked into a checkout of a catalog, for a pull request: `inferdex submit` makes it of
// files of a machine, a page of a published site of files that its reader drops.
package bundle

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/normalize"
	"github.com/inferdex/inferdex/ingest/redact"
	"github.com/inferdex/inferdex/ingest/settings"
)

// Where results and runs lie in the repository of a catalog.
const (
	RawDir     = "data/raw"
	CatalogDir = "data/catalog"
)

// Gzip packs the raw records of a submission. A submission is small and is the same wherever it is made, so it is
// packed by the standard library, which a browser has loaded for archives anyway.
func Gzip(w io.Writer) io.WriteCloser {
	z, _ := gzip.NewWriterLevel(w, gzip.BestCompression) // the level is one
	return z
}

// completeIt stands above the lines of a run.toml that nobody filled in: as they are they say nothing.
const completeIt = "# What no file says of these results. Where they lie beside this file, complete the lines and take the \"#\" away;\n" +
	"# otherwise complete a run.toml beside them, and pack again.\n"

// Submission are the files of a submission by their names: those that ingest would write into an empty catalog, and the
// run.toml that are to be completed. The outcome is that of [normalize.Catalog] with nothing stored and with [Gzip].
func Submission(out *normalize.Outcome, names *settings.Names) (map[string][]byte, error) {
	files := map[string][]byte{}
	err := out.Update.Write(func(name string, data []byte) error {
		files[CatalogDir+"/"+name] = slices.Clone(data)
		return nil
	}, func(string) error { return nil })
	ix := figure.NewIndex(&catalog.Catalog{Runs: out.Runs}, names)
	for _, g := range ix.Gaps() {
		name := strings.ReplaceAll(path.Clean("/" + redact.File(g.File))[1:], "!", "/")
		name = path.Join(RawDir, strings.TrimPrefix(name, RawDir+"/"))
		if files[name] == nil {
			files[name] = []byte(completeIt)
		}
		for line := range strings.Lines(g.TOML + "\n") {
			files[name] = append(files[name], "# "+line...)
		}
	}
	return files, err
}

// Pack writes files into a zip archive. Names are sorted and there are no times: the same files give the same bytes.
func Pack(files map[string][]byte) ([]byte, error) {
	var b bytes.Buffer
	z := NewArchive(&b)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := Add(z, name, files[name]); err != nil {
			return nil, err
		}
	}
	err := z.Close()
	return b.Bytes(), err
}

// NewArchive is a zip archive that is packed as well as it can be.
func NewArchive(b *bytes.Buffer) *zip.Writer {
	z := zip.NewWriter(b)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(w, flate.BestCompression)
	})
	return z
}

// Add adds a file without a time.
func Add(z *zip.Writer, name string, data []byte) error {
	w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate})
	if err == nil {
		_, err = w.Write(data)
	}
	return err
}
