package main

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// canary is planted where secrets, names and prompts stand. No part of it may be found in anything that
// is written or said.
const canary = "Q7cAnArYq7CaNaRyX3"

// places is how many places of each file are planted.
const places = 40

// plants are what is planted, by where it can stand: members of a JSON object, and lines of a text.
func plants(t *testing.T) (members, lines []string) {
	t.Helper()
	data, err := os.ReadFile("../../ingest/redact/testdata/shapes.txt")
	if err != nil {
		t.Fatal(err)
	}
	member := func(key, value string) {
		v, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		members = append(members, fmt.Sprintf("%q:%s", key, v))
	}
	for _, section := range strings.Split(string(data), "\n== ")[1:] {
		title, body, _ := strings.Cut(section, "\n")
		switch title {
		case "secret keys", "identity keys":
			for _, key := range strings.Fields(body) {
				member(key, canary)
				lines = append(lines, key+"="+canary, "--"+key+" "+canary)
			}
		case "content keys":
			for _, key := range strings.Fields(body) {
				member(key, "tell "+canary+" a story of old")
			}
		case "tokens":
			for _, token := range strings.Fields(body) {
				token = strings.ReplaceAll(token, "§", canary)
				member("planted", "see "+token)
				lines = append(lines, "see "+token)
			}
		case "texts":
			for shape := range strings.SplitSeq(strings.TrimSpace(body), "\n") {
				shape = strings.ReplaceAll(strings.ReplaceAll(shape, "§", canary), `\n`, "\n")
				member("planted", shape)
				lines = append(lines, shape)
			}
		default:
			t.Fatalf("a section %q of shapes that nobody plants", title)
		}
	}
	return members, lines
}

// plant puts plants into a file at up to 40 places: into objects of JSON, between the lines of a text.
// Each call begins with another plant, so that every plant stands in some file.
func plant(data []byte, members, lines []string, from int) []byte {
	text := string(data)
	trimmed := strings.TrimSpace(text)
	var b strings.Builder
	n := 0
	if strings.HasPrefix(trimmed, "{") || strings.HasPrefix(trimmed, "[") {
		quoted := false
		for i := 0; i < len(text); i++ {
			b.WriteByte(text[i])
			switch {
			case text[i] == '\\' && quoted:
				i++
				b.WriteByte(text[i])
			case text[i] == '"':
				quoted = !quoted
			case text[i] == '{' && !quoted && n < places:
				rest := strings.TrimLeft(text[i+1:], " \t\r\n")
				if !strings.HasPrefix(rest, `"`) {
					continue
				}
				for k := range 8 {
					// The number keeps names of one object apart.
					m := members[(from+8*n+k)%len(members)]
					if strings.HasPrefix(m, `"planted"`) {
						m = fmt.Sprintf(`"planted %d"`, k) + strings.TrimPrefix(m, `"planted"`)
					}
					b.WriteString(m + ",")
				}
				n++
			}
		}
		return []byte(b.String())
	}
	all := strings.SplitAfter(text, "\n")
	step := max(1, len(all)/places)
	for i, line := range all {
		b.WriteString(line)
		if i%step == step-1 && strings.HasSuffix(line, "\n") && n < places {
			b.WriteString(lines[(from+n)%len(lines)] + "\n")
			n++
		}
	}
	return []byte(b.String())
}

// unpacked are the names and the text of all files of a zip archive, one behind the other, and how many there are.
func unpacked(t *testing.T, data []byte) (text []byte, files int) {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	var all bytes.Buffer
	for _, f := range z.File {
		all.WriteString(f.Name + "\n")
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		var in io.Reader = r
		if strings.HasSuffix(f.Name, ".gz") {
			if in, err = gzip.NewReader(r); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := all.ReadFrom(in); err != nil {
			t.Fatal(err)
		}
	}
	return all.Bytes(), len(z.File)
}

// TestSecrets plants every shape of a secret in the samples of every format and looks for them in the
// catalog, the site, the downloads unpacked, and in what the commands print.
func TestSecrets(t *testing.T) {
	for _, first := range []int{0, 211, 467, 590} { // so that a format meets other shapes each time
		plantedEverywhere(t, first)
	}
}

func plantedEverywhere(t *testing.T, first int) {
	t.Helper()
	members, lines := plants(t)
	if n := len(members) + len(lines); n < 250 {
		t.Fatalf("%d shapes", n)
	}
	dir := t.TempDir()
	files := 0
	for _, s := range samplesOfFormats(t) {
		for _, f := range s.Files {
			if strings.HasPrefix(f.Name, "want") {
				continue
			}
			name := filepath.Join("data", "raw", s.format, s.Name, "hf_"+canary, filepath.FromSlash(f.Name))
			if err := writeFile(filepath.Join(dir, name), plant(f.Data, members, lines, first+37*files)); err != nil {
				t.Fatal(err)
			}
			files++
		}
	}
	if err := writeFile(filepath.Join(dir, "data", "raw", "run.toml"),
		[]byte("notes = \"password: "+canary+"\"\n[labels]\napi_key = \""+canary+"\"\n")); err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	commands, roots, fewest := []string{"ingest -v", "ingest --json", "list runs", "list points --json",
		"list cards", "submit data/raw --output packed/submission.zip"}, []string{"data/catalog", "packed"}, 100
	if first == 0 { // what a site shows stands in its catalog: one is enough
		commands, roots, fewest = append(commands, "build", "check"), append(roots, "public"), 300
	}
	for _, args := range commands {
		code := run(context.Background(), strings.NewReader(""), &said, &said,
			append([]string{"-C", dir}, strings.Fields(args)...))
		if code > 1 {
			t.Errorf("inferdex %s: exit status %d\n%s", args, code, lastLine(said.String()))
		}
	}
	clean := func(where string, text []byte) {
		for line := range bytes.Lines(text) {
			if i := bytes.Index(line, []byte("Q7cAnAr")); i >= 0 {
				t.Errorf("%s: %q", where, line[max(0, i-120):min(len(line), i+60)])
			}
		}
	}
	clean("terminal", said.Bytes())
	looked := 0
	for _, root := range roots {
		err := filepath.WalkDir(filepath.Join(dir, root), func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			name, _ := filepath.Rel(dir, path)
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			if strings.HasSuffix(path, ".gz") {
				z, err := gzip.NewReader(bytes.NewReader(data))
				if err != nil {
					return err
				}
				if data, err = io.ReadAll(z); err != nil {
					return err
				}
			}
			if strings.HasSuffix(path, ".zip") {
				var packed int
				if data, packed = unpacked(t, data); root == "packed" && packed < 100 {
					t.Errorf("only %d files were packed", packed)
				}
			}
			looked++
			clean("the name of "+name, []byte(name))
			clean(name, data)
			return nil
		})
		if err != nil {
			t.Errorf("%s: %v", root, err)
		}
	}
	if looked < fewest {
		t.Errorf("only %d files were written: what was planted hindered reading", looked)
	}
	t.Logf("%d shapes in %d files, %d files and what the commands print hold none", len(members)+len(lines),
		files, looked)
}
