package normalize

import (
	"bytes"
	"encoding/json"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/inferdex/inferdex/ingest/record"
)

// redacted stands for what must not leave the building.
const redacted = "redacted"

// Redact is a message about an input without secrets, prompts, and names of machines and people:
// what a reader says of a value it cannot use quotes the value, and logs of CI jobs are public.
func Redact(message string) string {
	return (&redactor{}).text(message)
}

// redactor takes secrets and identities out of texts. It is idempotent: what it wrote stays as
// it is. Numbers, booleans, null and lists of numbers are never touched. It remembers texts,
// since the records of a suite repeat theirs a hundred times.
type redactor struct {
	memo map[string]string
}

// words splits a key at "_", "-", ".", white space and changes of case, in lower case:
// "hfApi-key" is hf, api, key.
func words(key string) []string {
	var out []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			out = append(out, strings.ToLower(string(word)))
			word = word[:0]
		}
	}
	runes := []rune(key)
	for i, c := range runes {
		switch {
		case c == '_' || c == '-' || c == '.' || c == '/' || c == ':' || unicode.IsSpace(c):
			flush()
			continue
		case unicode.IsUpper(c) && i > 0 && (unicode.IsLower(runes[i-1]) || unicode.IsDigit(runes[i-1]) ||
			unicode.IsUpper(runes[i-1]) && i+1 < len(runes) && unicode.IsLower(runes[i+1])):
			flush()
		}
		word = append(word, c)
	}
	flush()
	return out
}

// secretEnds are the words a key of a secret ends in.
var secretEnds = [][]string{
	{"api", "key"}, {"apikey"}, {"api", "keys"}, {"auth"}, {"authorization"}, {"token"}, {"secret"}, {"secrets"},
	{"password"}, {"passwords"}, {"passwd"}, {"passphrase"}, {"credential"}, {"credentials"},
	{"private", "key"}, {"privatekey"}, {"access", "key"}, {"secret", "key"}, {"cookie"},
	{"authtoken"}, {"accesstoken"}, {"apitoken"}, {"hftoken"}, {"amz", "signature"}, {"goog", "signature"},
}

// secretSuffixes are what the last word of such a key may end in where it is written as one word:
// "PGPASSWORD".
var secretSuffixes = []string{"password", "passwd", "passphrase", "apikey"}

// plainTokens are words before "token" that make it a token of text and no secret: "eos_token",
// "time_per_output_token".
var plainTokens = map[string]bool{
	"bos": true, "eos": true, "pad": true, "unk": true, "sep": true, "cls": true, "mask": true, "image": true, "video": true,
	"audio": true, "stop": true, "special": true, "think": true, "reasoning": true, "first": true, "second": true, "next": true,
	"last": true, "per": true, "output": true, "input": true, "each": true, "new": true, "prompt": true, "inter": true, "a": true, "adapter": true, "draft": true, "speculative": true,
}

// secretKey reports whether the text of a key is a secret.
func secretKey(key string) bool {
	w := words(key)
	for _, end := range secretEnds {
		if len(w) < len(end) || !slices.Equal(w[len(w)-len(end):], end) {
			continue
		}
		if end[0] == "token" && len(w) > 1 && plainTokens[w[len(w)-2]] {
			continue
		}
		return true
	}
	if len(w) == 0 {
		return false
	}
	last := w[len(w)-1]
	if last == "pwd" && len(w) > 1 { // MYSQL_PWD, but PWD is a directory
		return true
	}
	return slices.ContainsFunc(secretSuffixes, func(end string) bool { return strings.HasSuffix(last, end) })
}

// identityEnds are the words that a key ends in whose text names one machine or one person.
var identityEnds = [][]string{
	{"uuid"}, {"serial"}, {"serial", "number"}, {"serialnumber"}, {"unique", "id"}, {"hostname"}, {"host", "name"}, {"nodename"}, {"node", "name"},
	{"mac"}, {"mac", "address"}, {"ip"}, {"ip", "address"}, {"ipaddr"}, {"machine", "id"}, {"system", "id"},
	{"addr"}, {"address"}, {"master", "host"}, {"server", "host"}, {"remote", "host"}, {"target", "host"}, {"client", "host"}, {"username"}, {"user", "name"}, {"user", "id"}, {"email"},
}

// identityKey reports whether the text of a key names a machine or a person.
func identityKey(key string) bool {
	w := words(key)
	// Of a setting within others, "endpoint.host", the last name counts.
	switch strings.ToLower(key[strings.LastIndexByte(key, '.')+1:]) {
	case "user", "host", "node":
		return true
	}
	for _, end := range identityEnds {
		if len(w) >= len(end) && slices.Equal(w[len(w)-len(end):], end) {
			return true
		}
	}
	return false
}

// contentKey reports whether the text of a key is a prompt or what was generated.
func contentKey(key string) bool {
	return contentKeys[strings.ToLower(key[strings.LastIndexByte(key, '.')+1:])]
}

// contentKeys hold prompts, generated texts and tracebacks, which never enter the catalog.
var contentKeys = map[string]bool{
	"prompt": true, "prompts": true, "generated_text": true, "generated_texts": true, "messages": true, "completion_text": true,
	"system_prompt": true, "user_prompt": true, "prompt_text": true, "output_text": true, "input_text": true, "response_text": true, "traceback": true, "raw_output": true, "stdout": true, "stderr": true,
}

// proseKeys are keys under which a raw record may hold a text that was sent or generated, but
// also the name of a file or a number: it is content only where it reads as prose.
var proseKeys = map[string]bool{
	"output": true, "response": true, "completion": true, "content": true, "text": true, "input": true, "question": true, "answer": true,
}

// prose reports whether s, the text of a key, reads as something that was sent or generated.
func prose(key, s string) bool {
	const words = 5 // that make prose
	return proseKeys[strings.ToLower(key[strings.LastIndexByte(key, '.')+1:])] && len(strings.Fields(s)) >= words
}

// says reports whether a text says no more than a number, a boolean or null does.
func says(s string) bool {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "", "null", "none", "true", "false", "n/a", "na", "nan", "inf", "unknown", "not specified", "[not supported]", redacted:
		return true
	}
	return false
}

// open reports whether an address belongs to no machine in particular.
func open(host string) bool {
	switch strings.ToLower(host) {
	case "localhost", "*", "::", "::1", "[::]", "[::1]":
		return true
	}
	if p, err := netip.ParseAddrPort(host); err == nil {
		return p.Addr().IsLoopback() || p.Addr().IsUnspecified()
	}
	if name, port, ok := strings.Cut(host, ":"); ok && name == "localhost" && number(port) {
		return true
	}
	a, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil && (a.IsLoopback() || a.IsUnspecified())
}

// value is the text of a key without what must not be in it.
func (r *redactor) value(key, s string) string {
	switch {
	case says(s):
		return s
	case secretKey(key):
		return redacted
	case identityKey(key):
		if host := strings.TrimSpace(s); open(host) || number(host) {
			return s
		}
		return redacted
	case contentKey(key) && !number(s), prose(key, s):
		return redacted
	}
	return r.text(s)
}

// versions are keys of facts whose texts may be four numbers with dots and no address.
var versions = map[string]bool{
	record.FactEngineVersion: true, record.FactToolVersion: true, record.FactDriver: true, record.FactCUDA: true,
	record.FactROCm: true, record.FactKernel: true, record.FactWrapper: true,
}

// fact is the text of a fact, whoever states it: a record, a sidecar, a rule or a flag. A label
// is judged by the name it was given.
func (r *redactor) fact(key, s string) string {
	if key == record.FactModel || versions[key] {
		return r.secrets(s)
	}
	return r.value(strings.TrimPrefix(key, "labels."), s)
}

func number(s string) bool {
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}

var (
	reStated  = regexp.MustCompile(`"([^"\\\s]+)" is ("(?:[^"\\]|\\.)*")`)
	rePEM     = regexp.MustCompile(`-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|\z)`)
	reURL     = regexp.MustCompile(`([A-Za-z][A-Za-z0-9+.-]*://)(?:[^\s/@"'<>]+@)?(\[[0-9A-Fa-f:.]+\]|[^\s/:?#"'<>,;)\]}|]*)`)
	reUser    = regexp.MustCompile(`://[^\s/@"'<>]+@`)
	reBearer  = regexp.MustCompile(`(?i)\b(bearer\s+)[A-Za-z0-9._~+/=-]{4,}`)
	reAuth    = regexp.MustCompile(`(?i)(authorization["']?\s*[:=]\s*["']?)(?:(basic|bearer|digest|token|apikey)\s+)?[^\s"',}]+`)
	reToken   = regexp.MustCompile(`\b(?:hf_[A-Za-z0-9]{6,}|sk-[A-Za-z0-9_-]{8,}|gh[pousr]_[A-Za-z0-9]{8,}|github_pat_[A-Za-z0-9_]{8,}|glpat-[A-Za-z0-9_-]{8,}|xox[abprs]-[A-Za-z0-9-]{8,}|nvapi-[A-Za-z0-9_-]{8,}|A[KS]IA[0-9A-Z]{12,}|AIza[0-9A-Za-z_-]{20,}|eyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]*)?)`)
	reSigned  = regexp.MustCompile(`(?i)([?&](?:sig|signature|key)=)[^&\s"'<>#]+`)
	reFlag    = regexp.MustCompile(`(?:^|[\s"'\[,(])--?([A-Za-z][A-Za-z0-9_.-]*)(\s*\\\r?\n\s*|["']?\s*[,=]\s*|["']?\s+)`)
	reAssign  = regexp.MustCompile(`([A-Za-z_][A-Za-z0-9_.-]*)(["']?\s*[=:]\s*)`)
	reLabel   = regexp.MustCompile(`(?im)\b((?:serial|board|asic|product) (?:number|serial|uuid|id)|(?:gpu |mig )?uuid|unique id|host ?name|node ?name|mac addr(?:ess)?|ip addr(?:ess)?|api key|private key|user ?name)(\s*[:=]\s*)([^\s"')][^\n"')]*)`)
	reTag     = regexp.MustCompile(`<([A-Za-z_][A-Za-z0-9_]*)>([^<]+)</`)
	reUUID    = regexp.MustCompile(`(?i)\b(?:GPU-|MIG-|MIG-GPU-)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`)
	reMAC     = regexp.MustCompile(`\b[0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2}){5,7}\b|\b[0-9A-Fa-f]{2}(?:-[0-9A-Fa-f]{2}){5,7}\b`)
	reIPv4    = regexp.MustCompile(`\b\d{1,3}(?:\.\d{1,3}){3}\b`)
	reIPv6    = regexp.MustCompile(`[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7}(?:%\w+)?`)
	reHome    = regexp.MustCompile(`(/home/|/Users/|\\Users\\|\\\\Users\\\\)([^/\\\s"':;,]+)`)
	reMail    = regexp.MustCompile(`\b([A-Za-z0-9._+-]+)@([A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*)(:[~/])?`)
	reRPC     = regexp.MustCompile(`\b(RPC\[)([^\]\s:]+)((?::\d+)?\])`)
	reVersion = regexp.MustCompile(`(?i)(?:version\s*[:=]?\s*["']?v?|[=<>~]=\s*|[-_]v?|\.so\.|\bv)$`)
)

// homes are directories below /home that belong to no person.
var homes = map[string]bool{"data": true, "models": true, "model": true, "ubuntu": true, "runner": true, "vllm": true, redacted: true}

// hfWords are words behind "hf_" in names of parameters and modules.
var hfWords = map[string]bool{
	"overrides": true, "tokenizer": true, "tokenizers": true, "transfer": true, "config": true, "processor": true, "quantizer": true,
	"endpoint": true, "datasets": true, "dataset": true, "models": true, "folder": true, "subset": true, "output": true, "transformers": true,
}

// maxText bounds every text that is kept, in bytes: chat templates have some 20,000, and a text
// that is longer is a log or a mistake that nobody reads in a catalog.
const (
	maxText = 64 << 10
	cutMark = "… (cut)"
)

// text takes secrets and identities out of a text of any kind: a value, a command, a line of a
// log, a page.
func (r *redactor) text(s string) string {
	if len(s) < 6 { // shorter than the shortest secret, address or path
		return s
	}
	if len(s) > maxText {
		s = strings.ToValidUTF8(s[:maxText-len(cutMark)], "") + cutMark
	}
	if t, ok := r.memo[s]; ok {
		return t
	}
	t := r.secrets(s)
	t = r.identities(t)
	if r.memo == nil {
		r.memo = map[string]string{}
	}
	if len(s) < 4096 && len(r.memo) < 1<<16 {
		r.memo[s] = t
	}
	return t
}

// secrets takes only secrets and the user names of home paths out of a text: what identifies a
// run is made of texts that must stay apart.
func (r *redactor) secrets(s string) string {
	if strings.Contains(s, "PRIVATE KEY") {
		s = rePEM.ReplaceAllString(s, redacted)
	}
	if strings.Contains(s, "://") {
		s = reUser.ReplaceAllString(s, "://"+redacted+"@")
		s = reSigned.ReplaceAllString(s, "${1}"+redacted)
	}
	if len(s) > 8 {
		s = reAuth.ReplaceAllString(s, "${1}"+redacted)
		s = reBearer.ReplaceAllString(s, "${1}"+redacted)
		s = reToken.ReplaceAllStringFunc(s, func(m string) string {
			if w, ok := strings.CutPrefix(m, "hf_"); ok && hfWords[w] {
				return m
			}
			return redacted
		})
	}
	// Messages of readers: "backend.api_key" is "...", a number was expected.
	if strings.Contains(s, `" is "`) {
		s = replaceSubmatches(reStated, s, func(m []string) string {
			if !secretKey(m[1]) && !identityKey(m[1]) && !contentKey(m[1]) && !prose(m[1], m[2]) || says(unquoted(m[2])) {
				return m[0]
			}
			return `"` + m[1] + `" is "` + redacted + `"`
		})
	}
	if strings.ContainsRune(s, '-') {
		either := func(name string) bool { return secretKey(name) || identityKey(name) }
		s = replaceValues(reFlag, s, either, '-', func(name, _, v string) bool { return secretKey(name) || !open(v) })
	}
	if strings.ContainsAny(s, "=:") {
		s = replaceValues(reAssign, s, secretKey, 0, func(_, sep, v string) bool { return !strings.ContainsRune(sep, ':') || !number(v) })
	}
	return reHome.ReplaceAllStringFunc(s, func(m string) string {
		g := reHome.FindStringSubmatch(m)
		if homes[g[2]] {
			return m
		}
		return g[1] + redacted
	})
}

// identities takes what names a machine or a person out of a text.
func (r *redactor) identities(s string) string {
	if strings.ContainsAny(s, "=:") {
		s = replaceValues(reAssign, s, identityKey, '/', func(_, _, v string) bool { return !open(v) && !number(v) })
		s = replaceSubmatches(reLabel, s, func(m []string) string {
			v := strings.TrimSpace(m[3])
			if says(v) || open(v) {
				return m[0]
			}
			return m[1] + m[2] + redacted
		})
	}
	if strings.Contains(s, "</") {
		s = replaceSubmatches(reTag, s, func(m []string) string {
			if !secretKey(m[1]) && !identityKey(m[1]) || says(m[2]) {
				return m[0]
			}
			return "<" + m[1] + ">" + redacted + "</"
		})
	}
	if strings.Contains(s, "://") {
		s = replaceSubmatches(reURL, s, func(m []string) string {
			if !private(m[2]) {
				return m[0]
			}
			return strings.TrimSuffix(m[0], m[2]) + redacted
		})
	}
	// A backend of llama.cpp on another machine: "RPC[gpu-7:50052]".
	s = replaceSubmatches(reRPC, s, func(m []string) string {
		if open(m[2]) {
			return m[0]
		}
		return m[1] + redacted + m[3]
	})
	s = reUUID.ReplaceAllString(s, redacted)
	s = reMAC.ReplaceAllString(s, redacted)
	s = replaceAt(reIPv4, s, func(before, m, after string) string {
		a, err := netip.ParseAddr(m)
		if err != nil || a.IsLoopback() || a.IsUnspecified() || strings.HasPrefix(m, "255.") || strings.HasPrefix(after, ".") && len(after) > 1 && after[1] >= '0' && after[1] <= '9' {
			return m
		}
		// No machine has an address in the network 0: "vLLM 0.9.0.2" is a version.
		if strings.HasPrefix(m, "0.") {
			return m
		}
		// "libcudnn 9.1.0.70" and "nvidia-cublas-cu12==12.4.5.8" are versions.
		if reVersion.MatchString(before[max(0, len(before)-24):]) {
			return m
		}
		return redacted
	})
	s = replaceAt(reIPv6, s, func(before, m, after string) string {
		a, err := netip.ParseAddr(m)
		if err != nil || !a.Is6() || a.IsLoopback() || a.IsUnspecified() || strings.Count(m, ":") < 3 && !strings.HasSuffix(before, "[") {
			return m
		}
		return redacted
	})
	if strings.ContainsRune(s, '@') {
		s = replaceSubmatches(reMail, s, func(m []string) string {
			dot := strings.LastIndexByte(m[2], '.')
			mail := dot > 0 && len(m[2])-dot > 2 && strings.Trim(strings.ToLower(m[2][dot+1:]), "abcdefghijklmnopqrstuvwxyz") == ""
			if m[1] == "git" || m[1] == redacted || !mail && m[3] == "" {
				return m[0]
			}
			return redacted + m[3]
		})
	}
	return s
}

// private reports whether the host of a URL is a name inside somebody's network.
func private(host string) bool {
	if host == "" || open(host) || host == redacted || strings.HasSuffix(host, "@"+redacted) {
		return false
	}
	if a, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return !a.IsLoopback() && !a.IsUnspecified()
	}
	h := strings.ToLower(strings.TrimSuffix(host, "."))
	if !strings.Contains(h, ".") {
		// "{host}", "$HOST" and "<host>" stand for a name and are none.
		return strings.Trim(h, "abcdefghijklmnopqrstuvwxyz0123456789-_") == ""
	}
	for _, end := range []string{".local", ".internal", ".lan", ".corp", ".intra", ".intranet", ".home", ".localdomain", ".svc", ".private", ".arpa", ".test"} {
		if strings.HasSuffix(h, end) {
			return true
		}
	}
	return strings.Contains(h, ".internal.") || strings.Contains(h, ".corp.") || strings.Contains(h, ".intra.")
}

func unquoted(s string) string {
	if len(s) >= 2 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		return s[1 : len(s)-1]
	}
	return s
}

func requoted(s string) string {
	if len(s) >= 2 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		return s[:1] + redacted + s[:1]
	}
	return redacted
}

// replaceSubmatches replaces each match of re by what f makes of its submatches.
func replaceSubmatches(re *regexp.Regexp, s string, f func(m []string) string) string {
	all := re.FindAllStringSubmatchIndex(s, -1)
	if all == nil {
		return s
	}
	var b strings.Builder
	end := 0
	for _, x := range all {
		m := make([]string, len(x)/2)
		for i := range m {
			if x[2*i] >= 0 {
				m[i] = s[x[2*i]:x[2*i+1]]
			}
		}
		b.WriteString(s[end:x[0]])
		b.WriteString(f(m))
		end = x[1]
	}
	b.WriteString(s[end:])
	return b.String()
}

// replaceValues finds names by re, whose first submatch is the name and second what parts it from
// its value, and redacts the values that hide says to. The value is found by hand, only for a
// name that matters, and only where it does not begin with the byte not: within
// "https://x?token=y" stand "https" and, in its value, "token".
func replaceValues(re *regexp.Regexp, s string, matters func(name string) bool, not byte, hide func(name, sep, value string) bool) string {
	var b strings.Builder
	done := 0 // s up to here is in b
	for at := 0; at < len(s); {
		x := re.FindStringSubmatchIndex(s[at:])
		if x == nil {
			break
		}
		begin := at + x[1]
		name, sep := s[at+x[2]:at+x[3]], s[at+x[4]:at+x[5]]
		at = begin
		if begin == len(s) || s[begin] == not || !matters(name) {
			continue
		}
		v := s[begin:valueEnd(s, begin)]
		if plain := unquoted(v); v == "" || says(plain) || !hide(name, sep, plain) {
			continue
		}
		b.WriteString(s[done:begin])
		b.WriteString(requoted(v))
		at = begin + len(v)
		done = at
	}
	b.WriteString(s[done:])
	return b.String()
}

// valueEnd is where the value that begins at i ends: behind the closing quote, else before what
// parts values. A quote that is not closed is a part of the value.
func valueEnd(s string, i int) int {
	if i < len(s) && (s[i] == '"' || s[i] == '\'') {
		for j := i + 1; j < len(s); j++ {
			switch {
			case s[j] == s[i]:
				return j + 1
			case s[j] == '\\' && s[i] == '"':
				j++
			}
		}
		i++
	}
	if n := strings.IndexAny(s[i:], " \t\r\n\"',;&})]"); n >= 0 {
		return i + n
	}
	return len(s)
}

// replaceAt replaces each match of re by what f makes of it and what stands around it.
func replaceAt(re *regexp.Regexp, s string, f func(before, m, after string) string) string {
	all := re.FindAllStringIndex(s, -1)
	if all == nil {
		return s
	}
	var b strings.Builder
	end := 0
	for _, x := range all {
		b.WriteString(s[end:x[0]])
		b.WriteString(f(s[:x[0]], s[x[0]:x[1]], s[x[1]:]))
		end = x[1]
	}
	b.WriteString(s[end:])
	return b.String()
}

// path takes user names out of a path.
func (r *redactor) path(p string) string {
	if strings.Contains(p, "ome/") || strings.Contains(p, "Users") {
		return reHome.ReplaceAllStringFunc(p, func(m string) string {
			g := reHome.FindStringSubmatch(m)
			if homes[g[2]] {
				return m
			}
			return g[1] + redacted
		})
	}
	return p
}

// json is a JSON value without what must not be in it. The order of keys and numbers stay as
// they are, and keys that hold nothing of the kind. What is no JSON becomes a string.
func (r *redactor) json(key string, v json.RawMessage) json.RawMessage {
	if len(v) == 0 {
		return v
	}
	if !json.Valid(v) {
		v = appendString(nil, strings.ToValidUTF8(string(v), "�"))
	}
	w := walker{r: r, in: v, out: make([]byte, 0, len(v))}
	w.value(key, false, false)
	return w.out
}

type walker struct {
	r   *redactor
	in  []byte
	i   int
	out []byte
}

func (w *walker) space() {
	for w.i < len(w.in) && (w.in[w.i] == ' ' || w.in[w.i] == '\n' || w.in[w.i] == '\t' || w.in[w.i] == '\r') {
		w.i++
	}
}

// str reads the string at w.i and returns it as written and decoded.
func (w *walker) str() (written []byte, s string) {
	j := w.i + 1
	escaped := false
	for w.in[j] != '"' {
		if w.in[j] == '\\' {
			escaped = true
			j++
		}
		j++
	}
	written = w.in[w.i : j+1]
	w.i = j + 1
	if !escaped {
		return written, string(written[1 : len(written)-1])
	}
	_ = json.Unmarshal(written, &s) // it is valid
	return written, s
}

// value copies the value at w.i. hidden says that it lies below a key of a secret, content that
// it lies below a key of prompts or texts.
func (w *walker) value(key string, hidden, content bool) {
	w.space()
	switch c := w.in[w.i]; c {
	case '{':
		w.out = append(w.out, c)
		w.i++
		named := 0
		for first := true; ; first = false {
			w.space()
			if w.in[w.i] == '}' {
				w.i++
				w.out = append(w.out, '}')
				return
			}
			if !first {
				w.i++ // comma
				w.space()
				w.out = append(w.out, ',')
			}
			written, k := w.str()
			if t := w.r.text(k); t != k {
				// Nodes and devices are keys here and there. Two must not become one.
				if named++; named > 1 {
					t += " " + strconv.Itoa(named)
				}
				written = appendString(nil, t)
			}
			w.out = append(append(w.out, written...), ':')
			w.space()
			w.i++ // colon
			w.value(k, hidden || secretKey(k), content || contentKey(k))
		}
	case '[':
		w.out = append(w.out, c)
		w.i++
		flag := false // the element before is a flag whose value is a secret
		for first := true; ; first = false {
			w.space()
			if w.in[w.i] == ']' {
				w.i++
				w.out = append(w.out, ']')
				return
			}
			if !first {
				w.i++
				w.space()
				w.out = append(w.out, ',')
			}
			next := false
			if w.in[w.i] == '"' {
				at := w.i
				_, s := w.str()
				w.i = at
				next = strings.HasPrefix(s, "-") && !strings.Contains(s, "=") && secretKey(strings.TrimLeft(s, "-"))
				if flag && strings.HasPrefix(s, "-") {
					flag = false
				}
			}
			w.value(key, hidden || flag, content)
			flag = next
		}
	case '"':
		written, s := w.str()
		var t string
		switch {
		case (content || prose(key, s)) && s != "" && key != "elided" && !(number(s) && len(s) <= 12): // "Prompts: 20" counts them
			w.out = append(w.out, `{"elided":"text","length":`+strconv.Itoa(len(s))+`}`...)
			return
		case hidden && !says(s):
			t = redacted
		default:
			t = w.r.value(key, s)
		}
		if t == s {
			w.out = append(w.out, written...)
			return
		}
		w.out = appendString(w.out, t)
	default:
		j := w.i
		for j < len(w.in) && !bytes.ContainsRune([]byte(",]} \n\t\r"), rune(w.in[j])) {
			j++
		}
		w.out = append(w.out, w.in[w.i:j]...)
		w.i = j
	}
}

// appendString appends s as a JSON string without HTML escapes.
func appendString(dst []byte, s string) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string always encodes
	return append(dst, bytes.TrimSuffix(b.Bytes(), []byte{'\n'})...)
}

// maxError bounds the text of an error, in runes: messages of servers may quote a prompt.
const maxError = 240

// lastLine is the last line of an error that is not empty, bounded: the class and the message,
// never the traceback above it.
func lastLine(s string) string {
	s = strings.TrimSpace(s)
	if i := strings.LastIndexAny(s, "\n\r"); i >= 0 {
		s = strings.TrimSpace(s[i+1:])
	}
	if r := []rune(s); len(r) > maxError {
		s = string(r[:maxError]) + "…"
	}
	return s
}

// record returns a copy of rec without what must not enter the catalog. The copy shares nothing
// with rec that is changed.
func (r *redactor) record(rec record.Record) record.Record {
	base := func(b *record.Base) {
		b.At = r.pos(b.At)
		b.Key = r.secrets(b.Key)
	}
	identity := func(id *record.Identity) {
		id.Tool, id.Suite, id.Model = r.secrets(id.Tool), r.secrets(id.Suite), r.secrets(id.Model)
	}
	facts := func(in []record.Fact) []record.Fact {
		out := slices.Clone(in)
		for i := range out {
			out[i].At = r.pos(out[i].At)
			out[i].Value = r.fact(out[i].Key, out[i].Value)
		}
		return out
	}
	unmapped := func(in []string) []string {
		out := slices.Clone(in)
		for i, k := range out {
			out[i] = r.text(k)
		}
		return out
	}
	errors := func(in []record.ErrorCount) []record.ErrorCount {
		out := slices.Clone(in)
		for i := range out {
			out[i].Text = r.text(lastLine(out[i].Text))
		}
		return out
	}
	switch rec := rec.(type) {
	case *record.Result:
		c := *rec
		base(&c.Base)
		identity(&c.Identity)
		c.Facts = facts(c.Facts)
		c.Setup = slices.Clone(c.Setup)
		for i := range c.Setup {
			c.Setup[i].Value = r.value(c.Setup[i].Key, c.Setup[i].Value)
			c.Setup[i].Key = r.text(c.Setup[i].Key)
		}
		c.Unmapped, c.Errors = unmapped(c.Unmapped), errors(c.Errors)
		c.Workload.Name, c.Workload.Dataset = r.text(c.Workload.Name), r.text(c.Workload.Dataset)
		c.Raw = r.json("", c.Raw)
		return &c
	case *record.Figure:
		c := *rec
		base(&c.Base)
		identity(&c.Identity)
		c.Facts = facts(c.Facts)
		c.Published, c.Basis = r.text(c.Published), r.text(c.Basis)
		return &c
	case *record.Profile:
		c := *rec
		base(&c.Base)
		identity(&c.Identity)
		return &c
	case *record.Samples:
		c := *rec
		base(&c.Base)
		identity(&c.Identity)
		c.Facts = facts(c.Facts)
		c.Unmapped, c.Errors = unmapped(c.Unmapped), errors(c.Errors)
		if c.Texts != nil {
			c.Texts = map[string]string{}
			for k, v := range rec.Texts {
				c.Texts[k] = r.value(k, v)
			}
		}
		c.Raw = r.json("", c.Raw)
		return &c
	case *record.Params:
		c := *rec
		base(&c.Base)
		identity(&c.Identity)
		c.Facts = facts(c.Facts)
		c.Params = slices.Clone(c.Params)
		for i := range c.Params {
			p := &c.Params[i]
			p.At = r.pos(p.At)
			p.Value = r.param(p.Name, p.Value)
			p.Name = r.text(p.Name)
		}
		c.Command = r.text(c.Command)
		return &c
	case *record.System:
		c := *rec
		base(&c.Base)
		identity(&c.Identity)
		c.Facts = facts(c.Facts)
		c.Raw = r.json("", c.Raw)
		return &c
	case *record.Facts:
		c := *rec
		base(&c.Base)
		identity(&c.Identity)
		c.Facts = facts(c.Facts)
		return &c
	case *record.Note:
		c := *rec
		base(&c.Base)
		identity(&c.Identity)
		c.Text = r.text(c.Text)
		return &c
	case *record.Ignored:
		c := *rec
		base(&c.Base)
		c.Reason = r.text(c.Reason)
		return &c
	case *record.SyntaxError:
		c := *rec
		base(&c.Base)
		c.Text = r.text(c.Text)
		return &c
	}
	return rec
}

// param is the value of one parameter. Below the key of a secret every text is hidden.
func (r *redactor) param(name string, v json.RawMessage) json.RawMessage {
	if len(v) == 0 {
		return json.RawMessage("null")
	}
	if !json.Valid(v) {
		v = appendString(nil, strings.ToValidUTF8(string(v), "�"))
	}
	w := walker{r: r, in: v, out: make([]byte, 0, len(v))}
	// A prompt alone becomes one word, as a parameter is shown; within a list or an object it is
	// elided as in raw records.
	nested := v[0] == '{' || v[0] == '['
	w.value(name, secretKey(name), nested && contentKey(name))
	return w.out
}

func (r *redactor) pos(p record.Pos) record.Pos {
	p.File = r.path(p.File)
	return p
}
