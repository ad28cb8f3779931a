package sitetest

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
)

// WellFormed reads an XML document to its end.
func WellFormed(data []byte) error {
	d := xml.NewDecoder(bytes.NewReader(data))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}
