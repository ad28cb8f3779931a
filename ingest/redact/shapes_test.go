package redact

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/record"
)

// canary stands in each shape of testdata/shapes.txt for what must be hidden. It looks like no word and
// like no number.
const canary = "Q7cAnArYq7CaNaRyX3"

// shapesOf reads a section of testdata/shapes.txt: words, or whole lines of the texts.
func shapesOf(t *testing.T, section string) []string {
	t.Helper()
	data, err := os.ReadFile("testdata/shapes.txt")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(data), "== "+section+"\n")
	if !ok {
		t.Fatalf("no section %q", section)
	}
	body, _, _ := strings.Cut(rest, "\n== ")
	if section != "texts" {
		return strings.Fields(body)
	}
	return strings.Split(strings.TrimSpace(body), "\n")
}

// hidden fails where the canary, or a part of it, is left in what is kept.
func hidden(t *testing.T, shape, got string) {
	t.Helper()
	if strings.Contains(got, "Q7cAnAr") {
		t.Errorf("%s is kept as %s", shape, got)
	}
}

// asJSON is every way in which a text stands in JSON: alone, below a key, in a list, and as JSON
// within JSON within JSON.
func asJSON(text string) []string {
	quote := func(s string) string { return string(record.AppendText(nil, s)) }
	once := `{"note":` + quote(text) + `}`
	twice := `{"inner":` + quote(once) + `}`
	return []string{quote(text), once, `[1,` + quote(text) + `]`, twice, `{"more":{"list":[` + quote(twice) + `]}}`}
}

// whenCut looks at JSON that was cut somewhere between what closes it, so that it is a text.
func whenCut(t *testing.T, in string) {
	t.Helper()
	for end := len(in) - 1; strings.IndexByte("\"\\]}", in[end]) >= 0; end-- {
		hidden(t, in[:end], (&Redactor{}).Text(in[:end]))
	}
}

func TestShapes(t *testing.T) {
	count := 0
	text := func(shape string) {
		count++
		got := (&Redactor{}).Text(shape)
		hidden(t, shape, got)
		if again := (&Redactor{}).Text(got); again != got {
			t.Errorf("%s\nbecame %s\nand then %s", shape, got, again)
		}
		for _, in := range asJSON(shape) {
			out := (&Redactor{}).JSON("", json.RawMessage(in))
			if !json.Valid(out) {
				t.Errorf("%s became no JSON: %s", in, out)
			}
			hidden(t, in, string(out))
			whenCut(t, in)
		}
	}
	member := func(key, value string) {
		count++
		in := `{"a":1,"` + key + `":"` + value + `","z":[2]}`
		hidden(t, in, string((&Redactor{}).JSON("", json.RawMessage(in))))
		hidden(t, in, string((&Redactor{}).JSON("", record.AppendText(nil, in))))
		for _, in := range asJSON(in) {
			whenCut(t, in)
		}
		hidden(t, key, (&Redactor{}).Value(key, value))
		hidden(t, key, string((&Redactor{}).Parameter(key, json.RawMessage(`"`+value+`"`))))
		for _, in := range []string{`{"name":"` + key + `","value":"` + value + `"}`, `{"value":"` + value +
			`","x":[{"y":"}"}],"name":"` + key + `"}`} {
			hidden(t, in, string((&Redactor{}).JSON("", json.RawMessage(in))))
		}
	}
	for _, key := range shapesOf(t, "secret keys") {
		member(key, canary)
		for _, shape := range []string{key + "=§ next", key + ": §", "--" + key + " § --seed 1", "--" + key + "=§",
			"-e " + key + "=§"} {
			text(strings.ReplaceAll(shape, "§", canary))
		}
	}
	for _, key := range shapesOf(t, "identity keys") {
		member(key, canary)
		text(key + "=" + canary + " next")
		text("--" + key + " " + canary)
	}
	for _, key := range shapesOf(t, "content keys") {
		member(key, "tell "+canary+" a story of old")
		text("--" + key + ` "tell ` + canary + ` a story of old"`)
	}
	for _, token := range shapesOf(t, "tokens") {
		token = strings.ReplaceAll(token, "§", canary)
		member("note", "see "+token+" there")
		text(token)
		text("run with " + token + ", then")
		count++
		hidden(t, token, (&Redactor{}).Path("results/"+token+"/r_"+token+".json"))
	}
	for _, shape := range shapesOf(t, "texts") {
		text(strings.ReplaceAll(strings.ReplaceAll(shape, "§", canary), `\n`, "\n"))
	}
	if count < 250 {
		t.Errorf("%d shapes, 250 are the least", count)
	}
	t.Logf("%d shapes", count)
}

// TestCutTexts: a list of arguments inside of quoted quotes that was cut, so that it is no JSON any more.
func TestCutTexts(t *testing.T) {
	for _, shape := range []string{`{"args":"[\"serve\", \"--api-key\", \"Q7cAnAr\", \"--port...`,
		`{"a":"{\"b\":\"[\\\"--api-key\\\", \\\"Q7cAnAr\\\", \\\"--port...`,
		`{"args":"[\"--api-key\", \"first\", \"Q7cAnAr\", \"--port...`,
		`{"a":"{\"b\":\"[\\\"--api-key\\\", \\\"first\\\", \\\"Q7cAnAr\\\", \\\"--por...`,
		`{"a":"\"prompt\" is \"Q7cAnAr me...`,
		`{"a":"- name: DB_PASSWORD\n  value: Q7cAnAr...`, `{"a":"{\"b\":\"- name: DB_PASSWORD\\n  value: Q7cAnAr...`} {
		hidden(t, shape, (&Redactor{}).Text(shape))
	}
}

// TestBlocks: texts that stand in YAML below their keys, up to a line that is no deeper, and lines of a command that goes on.
func TestBlocks(t *testing.T) {
	for in, want := range map[string]string{
		"a:\n  password: |\n    Q7cAnAr 1\n\n    Q7cAnAr\n  b: |\n    c\n": "a:\n  password: redacted\n   redacted\n\n   redacted\n  b: |\n    c\n",
		"- prompt: >-\r\n    tell Q7cAnAr\r\n- b: 1":                       "- prompt: >-\r\n redacted\n- b: 1",
		"serve --api-key \\\n  Q7cAnAr \\\n  Q7cAnAr --port 1":             "serve --api-key \\\n  redacted --port 1",
		"\"api_key\": |2\n Q7cAnAr":                                        "\"api_key\": redacted\n redacted",
	} {
		if got := (&Redactor{}).Text(in); got != want {
			t.Errorf("%q became %q and not %q", in, got, want)
		}
	}
}

// TestLines: the lines of a command in a list.
func TestLines(t *testing.T) {
	in := `["serve m --api-key \\\n","  first \\\n","  Q7cAnAr --port 1 \\\n","  --seed 2\n","Q8"]`
	want := `["serve m --api-key \\\n","  redacted \\\n","redacted --port 1 \\\n","  --seed 2\n","Q8"]`
	if got := string((&Redactor{}).JSON("", json.RawMessage(in))); got != want {
		t.Errorf("%s became %s", in, got)
	}
}
