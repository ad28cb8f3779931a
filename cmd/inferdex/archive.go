package main

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"io"
	"maps"
	"slices"
)

// pack writes files into a zip archive. Names are sorted and there are no times: the same files give the same bytes.
func pack(files map[string][]byte) ([]byte, error) {
	var b bytes.Buffer
	z := newArchive(&b)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := addFile(z, name, files[name]); err != nil {
			return nil, err
		}
	}
	err := z.Close()
	return b.Bytes(), err
}

// newArchive is a zip archive that is packed as well as it can be.
func newArchive(b *bytes.Buffer) *zip.Writer {
	z := zip.NewWriter(b)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(w, flate.BestCompression)
	})
	return z
}

// addFile adds a file without a time.
func addFile(z *zip.Writer, name string, data []byte) error {
	w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate})
	if err == nil {
		_, err = w.Write(data)
	}
	return err
}
