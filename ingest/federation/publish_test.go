package federation

import (
	"bytes"
	"errors"
	"testing"
	"testing/fstest"
)

// publishedOf is what a catalog publishes, by path.
func publishedOf(t *testing.T, fsys fstest.MapFS, last Last) (files map[string]Published) {
	t.Helper()
	files = map[string]Published{}
	for f, err := range Publish(fsys, Index{Title: "T"}, nil, last) {
		if err != nil {
			t.Fatal(err)
		}
		files[f.Path] = f
	}
	return files
}

// An archive is taken from what was published last where all of its files are the same, and only there.
func TestPublishTakesTheLastArchive(t *testing.T) {
	fsys := fstest.MapFS{
		"m/aaaaaaaaaaaa.json":         {Data: []byte("{}")},
		"m/aaaaaaaaaaaa.raw.jsonl.gz": {Data: []byte("raw")},
	}
	first := publishedOf(t, fsys, nil)
	const archive = "catalog/all.zip"
	taken := []byte("the last archive")
	last := func(path, of string) ([]byte, bool) {
		return taken, path == archive && (of == "" || of == first[archive].Of)
	}
	if got := publishedOf(t, fsys, last)[archive]; !bytes.Equal(got.Data, taken) || got.Of != first[archive].Of {
		t.Error("the same files: the archive is made again")
	}
	for name, file := range map[string]string{"m/aaaaaaaaaaaa.json": "{ }", "m/aaaaaaaaaaaa.raw.jsonl.gz": "other",
		"m/bbbbbbbbbbbb.json": "{}"} {
		other := fstest.MapFS{}
		for n, f := range fsys {
			other[n] = f
		}
		other[name] = &fstest.MapFile{Data: []byte(file)}
		got, whole := publishedOf(t, other, last), publishedOf(t, other, nil)
		if !bytes.Equal(got[archive].Data, whole[archive].Data) {
			t.Errorf("%s is another one: the archive is not that of a full build", name)
		}
		if !bytes.Equal(got[IndexFile].Data, whole[IndexFile].Data) {
			t.Errorf("%s is another one: the index is not that of a full build", name)
		}
	}
}

// unread is a catalog of which no file can be read.
type unread struct{ fstest.MapFS }

func (u unread) ReadFile(name string) ([]byte, error) { return nil, errors.New(name + " is read") }

// Where the digests of all files are known, none is read for an archive that is as it was last, and its index is the same.
func TestPublishReadsNothingThatIsKnown(t *testing.T) {
	fsys := fstest.MapFS{
		"m/aaaaaaaaaaaa.json":         {Data: []byte("{}")},
		"m/aaaaaaaaaaaa.raw.jsonl.gz": {Data: []byte("raw")},
	}
	first := publishedOf(t, fsys, nil)
	last := func(path, of string) ([]byte, bool) {
		return first[path].Data, path != IndexFile && (of == "" || of == first[path].Of)
	}
	known := func(name string) string { return Sum(fsys[name].Data) }
	for f, err := range Publish(unread{fsys}, Index{Title: "T"}, known, last) {
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(f.Data, first[f.Path].Data) || f.Of != first[f.Path].Of {
			t.Errorf("%s is not what it was", f.Path)
		}
	}
}

// Of an archive with a file that changed the others are taken as they were packed: they are not read, and the archive is
// that of a full build.
func TestPublishPacksWhatChanged(t *testing.T) {
	fsys := fstest.MapFS{}
	for _, id := range []string{"aaaaaaaaaaaa", "bbbbbbbbbbbb", "cccccccccccc"} {
		fsys["m/"+id+".json"] = &fstest.MapFile{Data: bytes.Repeat([]byte("{} "), 100)}
		fsys["m/"+id+".raw.jsonl.gz"] = &fstest.MapFile{Data: []byte("raw of " + id)}
	}
	first := publishedOf(t, fsys, nil)
	for _, name := range []string{"m/bbbbbbbbbbbb.json", "m/bbbbbbbbbbbb.raw.jsonl.gz", "m/dddddddddddd.json"} {
		other, sums := counting{fstest.MapFS{}, new([]string)}, map[string]string{}
		for n, f := range fsys {
			other.MapFS[n], sums[n] = f, Sum(f.Data)
		}
		other.MapFS[name], sums[name] = &fstest.MapFile{Data: []byte("[]")}, Sum([]byte("[]"))
		whole := publishedOf(t, other.MapFS, nil)
		last := func(path, of string) ([]byte, bool) {
			was, ok := first[path]
			return was.Data, ok && (of == "" || of == was.Of)
		}
		for f, err := range Publish(other, Index{Title: "T"}, func(name string) string { return sums[name] }, last) {
			if err != nil || !bytes.Equal(f.Data, whole[f.Path].Data) {
				t.Errorf("%s is another one: %s is not that of a full build, %v", name, f.Path, err)
			}
		}
		if read := *other.read; len(read) != 1 || read[0] != name {
			t.Errorf("%q is read where %s alone is another one", read, name)
		}
	}
}

// counting is a catalog that says which of its files were read.
type counting struct {
	fstest.MapFS
	read *[]string
}

func (c counting) ReadFile(name string) ([]byte, error) {
	*c.read = append(*c.read, name)
	return c.MapFS.ReadFile(name)
}
