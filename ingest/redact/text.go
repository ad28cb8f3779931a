// Package redact takes secrets, prompts, and names of machines and people out of what was read. What it
// knows of keys is in keys.go, of texts in text.go; records and JSON are walked by the other two files.
package redact

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/netip"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/inferdex/inferdex/ingest/record"
)

// Hidden stands for what must not leave the building.
const Hidden = "redacted"

// File is the path of a file as it is said in a terminal: as given, but for secrets.
func File(path string) string { return shapes(stated(visible(path))) }

// Message is a message about an input without secrets, prompts, and names of machines and people:
// what a reader says of a value it cannot use quotes the value, and logs of CI jobs are public.
func Message(message string) string { return (&Redactor{}).Message(message) }

// Redactor takes secrets and identities out of texts. It is idempotent: what it wrote stays as
// it is. Numbers, booleans, null and lists of numbers are never touched. It remembers texts,
// since the records of a suite repeat theirs a hundred times.
type Redactor struct {
	// Inputs are the names of the inputs as given: a path below one that is absolute, or that leads out of
	// the directory of the command, is published from the input's own name on.
	Inputs []string

	texts, secrets, paths, keys memory
	inputs                      memory       // named of Inputs
	long                        [4][2]string // the last long texts with what was made of them: a record has each twice
	kinds                       map[string]keyKind
	keys0                       *string // the first of the keys that plain was asked about last
	plainKeys                   bool    // the texts of all of them are looked at alone
	// The first of the facts and of the setup that a record shared last, and what was made of them.
	facts0 *record.Fact
	facts  []record.Fact
	setup0 *record.KV
	setups int
	setup  []record.KV
	room   []byte // for the next value that is walked over
}

// longest is the length of the longest text that is remembered by all, in bytes.
const longest = 2048

// memory is what was made of texts.
type memory map[string]string

// of is what make makes of s. It remembers as many short texts as a suite may repeat, and begins anew when
// they are more.
func (m *memory) of(s string, make func(string) string) string {
	t, known := (*m)[s]
	if known {
		return t
	}
	t = make(s)
	const most = 1 << 14
	switch {
	case len(s) > longest:
		return t
	case *m == nil:
		*m = memory{}
	case len(*m) == most:
		clear(*m)
	}
	(*m)[s] = t
	return t
}

// KeyName is a key as it is published: none that names a secret, a machine or a person by itself.
func (r *Redactor) KeyName(k string) string { return r.kind(k).shown }

// keyText is the text of a key: it may be what stood before the colon of a line.
func (r *Redactor) keyText(k string) string {
	word, _, _ := strings.Cut(k, " (line ") // the second of two equal keys
	name := lastName(word)
	switch {
	case login(word):
		return Hidden + k[len(word):]
	case encoded(name):
		return r.Text(word[:len(word)-len(name)]) + Hidden + k[len(word):]
	}
	return r.Text(k)
}

// encoded reports whether a name is bytes in base64 and no word: a reader of lines takes the body of a
// private key for names without a value.
func encoded(name string) bool {
	const fewest = 40 // characters; names of settings that are longer have "_" or "."
	return len(name) >= fewest && reBase64.MatchString(name) && strings.ContainsFunc(name, unicode.IsUpper) &&
		strings.ContainsFunc(name, unicode.IsLower) && strings.ContainsFunc(name, unicode.IsDigit)
}

// login reports whether a word is a user and a host, as in the prompt of a shell, "jane@gpu17:~$". "pass@1" is
// a metric.
func login(word string) bool {
	user, host, _ := strings.Cut(word, "@")
	return user != "" && len(host) > 1 && strings.ContainsFunc(host, unicode.IsLetter) &&
		!strings.ContainsAny(word, " /:")
}

// Message is a message of a reader: what it quotes is a text of its own, and what that quotes in turn.
func (r *Redactor) Message(s string) string {
	return r.Text(reQuoted.ReplaceAllStringFunc(s, func(quoted string) string {
		text, err := strconv.Unquote(quoted)
		if err != nil {
			return quoted
		}
		shown := r.keyText(text)
		if shown == text && strings.ContainsRune(text, '"') && !within(text) {
			shown = r.Message(text)
		}
		if shown == text {
			return quoted
		}
		return strconv.Quote(shown)
	}))
}

// Value is the text of a key without what must not be in it.
func (r *Redactor) Value(key, s string) string {
	kind := r.kind(key)
	switch {
	case says(s):
		return s
	case kind.secret, password(key, s):
		return Hidden
	case kind.env && reVariable.MatchString(s):
		if name, _, _ := strings.Cut(s, "="); secretKey(name) {
			return name + "=" + Hidden
		}
	case kind.identity:
		if host := strings.TrimSpace(s); open(host) || number(host) {
			return s
		}
		return Hidden
	case kind.content && !number(s), kind.prose && prose(s), shortPrompted(key, s):
		return Hidden
	}
	return r.Text(s)
}

// reVariable is a variable of an environment with its value, whose quotes are gone: "WANDB_API_KEY=first second".
var reVariable = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*=`)

// versions are keys of facts whose texts may be four numbers with dots and no address.
var versions = []string{
	record.FactEngineVersion, record.FactToolVersion, record.FactDriver, record.FactCUDA, record.FactROCm,
	record.FactKernel, record.FactWrapper,
}

// Fact is the text of a fact, whoever states it: a record, a sidecar, a rule or a flag. A label
// is judged by the name it was given.
func (r *Redactor) Fact(key, s string) string {
	if key == record.FactModel || slices.Contains(versions, key) {
		return r.Secrets(s)
	}
	if key == record.FactSeries {
		s = series(s)
	}
	return r.Value(strings.TrimPrefix(key, labelPrefix), s)
}

// labelPrefix is what stands in front of the key of a fact that its source named.
const labelPrefix = "labels."

// series is a label of names and values, "hipblaslt 1, build hip", without the values of names that hide them.
func series(s string) string {
	parts := strings.Split(s, ", ")
	for i, part := range parts {
		if name, value, ok := strings.Cut(part, " "); ok && !says(value) && guarded(name, value) {
			parts[i] = name + " " + Hidden
		}
	}
	return strings.Join(parts, ", ")
}

func number(s string) bool {
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}

var (
	reQuoted = regexp.MustCompile(`"(?:[^"\\\n]|\\.)*"`)
	// What is quoted, and at the end of a text what was cut.
	reEscaped = regexp.MustCompile(`"(?:[^"\\\n]|\\.)*(?:"|\\?$)`)
	reStated  = regexp.MustCompile(`"([^"\\\s]+)" is ("(?:[^"\\]|\\.)*(?:"|\\?$))`)
	rePEM     = regexp.MustCompile(
		`-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|\z)`)
	reBase64 = regexp.MustCompile(`^[A-Za-z0-9+/]+=*$`)
	reURL    = regexp.MustCompile(
		`((?:[A-Za-z][A-Za-z0-9+.-]*:|^)//)(?:[^\s/@"'<>]+@)?(\[[0-9A-Fa-f:.]+\]|[^\s/:?#"'<>,;)\]}|\\]*)`)
	reUser    = regexp.MustCompile(`//[^\s/@"'<>]+@`)
	reCutUser = regexp.MustCompile(
		`//[^\s/@:"'<>\[\]]+:[0-9]*[^0-9\s/@"'<>:$%{?#,;)\]}|\\][^\s/@"'<>]*`) // the "@" behind a password was cut
	reHook = regexp.MustCompile(
		`(//)(?:hooks\.slack\.com|(?:[a-z]+\.)?discord(?:app)?\.com/api/webhooks|outlook\.office(?:365)?\.com/webhook|[A-Za-z0-9-]+\.webhook\.office\.com|api\.telegram\.org/bot)[^\s"'<>]*`)
	reBearer = regexp.MustCompile(`(?i)\b(bearer\s+)[A-Za-z0-9._~+/=-]{4,}`)
	reAuth   = regexp.MustCompile(
		`(?i)(authorization\\*["']?\s*[:=,]\s*\\*["']?)(?:(basic|bearer|digest|token|apikey)\s+)?[^\s"',}\\)\]]+`)
	reEncoded = regexp.MustCompile(`(?i)(authorization%3a(?:%20|\+)*)[^\s"'<>&]+`) // within a URL
	// Words behind which a secret stands without a sign, and what may be one: see [behindWord].
	reWord = regexp.MustCompile(
		`\b((?:[Bb]asic|BASIC|[Aa]pi-[Kk]ey|API-K(?:ey|EY)|[Pp]ass(?:wd|word)|PASSW(?:D|ORD))\s+["']?)([A-Za-z0-9._~+/=!@#$%^&*-]{8,})`)
	reIdentified = regexp.MustCompile(`(\bIDENTIFIED\s+BY\s+["']?|\bidentified\s+by\s+["'])[^"'\n;]+`)
	reSet        = regexp.MustCompile(
		`(\bset(?:env)?[ \t]+(?:-[a-z]+[ \t]+)*)([A-Z][A-Z0-9_]*)([ \t]+)("[^"\n]*"?|'[^'\n]*'?|[^\s"'=]+)`)
	reSigned = regexp.MustCompile(`(?i)([?&](?:sig|signature|key)=)[^&\s"'<>#]+`)
	rePair   = regexp.MustCompile(`["']([A-Za-z][A-Za-z0-9_.-]*)["']\s*,\s*["']([^"']+)(["']\s*:?)`)
	reNamed  = regexp.MustCompile(
		`(?i)((?:\\*["']?\bname\\*["']?\s*[:=]\s*)?\\*["']?\b)([A-Za-z_][A-Za-z0-9_.-]*)(\\*["']?(?:\s|\\+[nrt])*,?(?:\s|\\+[nrt])*\\*["']?\bvalue\\*["']?\s*[:=]\s*)("(?:[^"\\]|\\.)*|'[^']*|\\+["'][^"'\\]*|[^\s"',}\\]+)`)
	reBehind = regexp.MustCompile(
		`(?i)(["'])([^"']+)(["']\s*,\s*\\*["']?name\\*["']?\s*[:=]\s*\\*["']?)([A-Za-z_][A-Za-z0-9_.-]*)`)
	reNetrc = regexp.MustCompile(`(?i)\bmachine\s+\S+\s+login\s+\S+\s+(?:password|passwd)\s+\S+`)
	reLogin = regexp.MustCompile(
		`(\b(?:curl|wget|http|httpie|ab)\b[^\n]*?\s(?:-u|-a|--user|--proxy-user)[\s=]*["']?)[^\s"':]+:[^\s"']+`)
	rePass = regexp.MustCompile(
		`(\b(?:sshpass\s+-p|docker\s+login\b[^\n]*?\s-p|mysql\b[^\n]*?\s-p|redis-cli\b[^\n]*?\s(?:-a\s|--pass[\s=]))\s*["']?)[^\s"']+`)
	reLabel = regexp.MustCompile(
		`(?im)\b(` + labelNames + `)(\s*[:=]\s*)([^\s"')][^\n"')]*)`)
	reTag  = regexp.MustCompile(`<([A-Za-z_][A-Za-z0-9_]*)>([^<]+)</`)
	reUUID = regexp.MustCompile(
		`(?i)\b(?:GPU-|MIG-|MIG-GPU-)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`)
	reMAC = regexp.MustCompile(
		`\b[0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2}){5,7}\b|\b[0-9A-Fa-f]{2}(?:-[0-9A-Fa-f]{2}){5,7}\b`)
	reIPv4    = regexp.MustCompile(`\b\d{1,3}(?:\.\d{1,3}){3}\b`)
	reIPv6    = regexp.MustCompile(`[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7}(?:%\w+)?`)
	reHome    = regexp.MustCompile(`(/home/|/Users/|/users/|/scratch/|\\Users\\|\\\\Users\\\\)([^/\\\s"':;,]+)`)
	reMail    = regexp.MustCompile(`\b([A-Za-z0-9._+-]+)@([A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*)(:[~/])?`)
	reRPC     = regexp.MustCompile(`\b(RPC\[)([^\]\s:]+)((?::\d*)?(?:\]|$))`)
	reHost    = regexp.MustCompile(`(?i)\b(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,24}\b`)
	reVersion = regexp.MustCompile(`(?i)(?:version\s*[:=]?\s*["']?v?|[=<>~]=\s*|[-_]v?|\.so\.|\bv)$`)
)

// labelNames are words before a colon behind which a machine is named.
const labelNames = `(?:serial|board|asic|product) (?:number|serial|uuid|id)|(?:gpu |mig )?uuid|unique id|host ?name|node ?name|mac addr(?:ess)?|ip addr(?:ess)?|api key|private key|user ?name|service tag|asset tag|node ?list`

// reToken has the shapes of tokens that say by their beginning what they are for.
var reToken = regexp.MustCompile(`(^|[^A-Za-z0-9])(` + strings.Join([]string{
	`hf_[A-Za-z0-9]{6,}`, `api_org_[A-Za-z0-9]{6,}`, // Hugging Face
	`sk-[A-Za-z0-9_-]{6,}`, `[srp]k_(?:live|test)_[A-Za-z0-9]{6,}`, `whsec_[A-Za-z0-9]{6,}`,
	// OpenAI and others, Stripe
	`gsk_[A-Za-z0-9]{6,}`, `r8_[A-Za-z0-9]{6,}`, `nvapi-[A-Za-z0-9_-]{6,}`, `xai-[A-Za-z0-9]{6,}`,
	`pplx-[A-Za-z0-9]{6,}`,
	`csk-[A-Za-z0-9]{6,}`, `tgp_v1_[A-Za-z0-9_-]{6,}`, `fw_[A-Za-z0-9]{16,}`, `rpa_[A-Za-z0-9]{12,}`,
	`jina_[A-Za-z0-9]{12,}`, // model hosts
	`wandb_v1_[A-Za-z0-9_]{6,}`, `npm_[A-Za-z0-9]{12,}`, `pypi-[A-Za-z0-9_-]{6,}`, `dckr_(?:pat|oat)_[A-Za-z0-9_-]{6,}`,
	`gh[pousr]_[A-Za-z0-9]{6,}`, `github_pat_[A-Za-z0-9_]{6,}`, `gl(?:pat|rt|ptt|dt)-[A-Za-z0-9_-]{6,}`,
	`ATATT3x[A-Za-z0-9_=-]{6,}`,
	`xox[abeprs]-[A-Za-z0-9-]{6,}`, `xapp-[A-Za-z0-9-]{6,}`, `SG\.[A-Za-z0-9_-]{6,}(?:\.[A-Za-z0-9_-]*)?`,
	`A(?:KI|SI|ID|RO)A[0-9A-Z]{12,}`, `AIza[0-9A-Za-z_-]{20,}`, `ya29\.[A-Za-z0-9_-]{6,}`,
	`GOCSPX-[A-Za-z0-9_-]{6,}`, // clouds
	`shp(?:at|ca|pa|ss)_[A-Za-z0-9]{6,}`, `figd_[A-Za-z0-9_-]{6,}`, `lin_api_[A-Za-z0-9]{6,}`, `ntn_[A-Za-z0-9]{12,}`,
	`sntry[su]_[A-Za-z0-9_=-]{6,}`, `tvly-[A-Za-z0-9-]{6,}`, `sq0[a-z]{3}-[A-Za-z0-9_-]{6,}`, // services
	`do[opr]_v1_[0-9a-f]{6,}`, `dapi[0-9a-f]{32}`, `hvs\.[A-Za-z0-9_-]{6,}`, `tskey-[A-Za-z0-9-]{6,}`,
	`AGE-SECRET-KEY-1[0-9A-Z]{6,}`,
	`eyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]*)?`, // JWT
	`(?:fw|rpa|jina|npm|ntn)_[A-Za-z0-9]{4,}(?:\.\.\.|…)`,       // cut
}, "|") + `)`)

// homes are directories below /home, /users or /scratch that belong to no person.
var homes = []string{
	"data", "models", "model", "ubuntu", "runner", "vllm", "tmp", "results", "datasets", "shared", "public", Hidden,
}

// hfWords are words behind "hf_" in names of parameters and modules.
var hfWords = []string{
	"overrides", "tokenizer", "tokenizers", "transfer", "config", "processor", "quantizer", "endpoint", "datasets",
	"dataset", "models", "folder", "subset", "output", "transformers",
}

// maxText bounds every text that is kept, in bytes: chat templates have some 20,000, and a text
// that is longer is a log or a mistake that nobody reads in a catalog.
const (
	maxText = 64 << 10
	cutMark = "… (cut)"
)

// Text takes secrets and identities out of a text of any kind: a value, a command, a line of a
// log, a page.
func (r *Redactor) Text(s string) string {
	if len(s) < shortest || moment(s) {
		return s
	}
	if len(s) > maxText {
		s = strings.ToValidUTF8(s[:maxText-len(cutMark)], "") + cutMark
	}
	for _, l := range r.long {
		if l[0] == s {
			return l[1]
		}
	}
	t := r.texts.of(s, func(s string) string {
		if !within(s) {
			return identities(r.Secrets(r.quoted(s)))
		}
		if hidden := string(r.JSON("", json.RawMessage(s))); hidden != compact(s) {
			return hidden
		}
		return s
	})
	if len(s) > longest {
		copy(r.long[1:], r.long[:])
		r.long[0] = [2]string{strings.Clone(s), t}
	}
	return t
}

// quoted looks alone at what stands with escapes between quotes: a text that was cut may be JSON within JSON.
func (r *Redactor) quoted(s string) string {
	if !strings.Contains(s, `"`) || !strings.Contains(s, `\`) {
		return s
	}
	return reEscaped.ReplaceAllStringFunc(s, func(q string) string {
		if !strings.Contains(q, `\`) {
			return q
		}
		for _, closed := range []string{q, q + `"`, q[:len(q)-1] + `"`} {
			var text string
			if json.Unmarshal([]byte(closed), &text) != nil {
				continue
			}
			if shown := r.Text(text); shown != text {
				return string(record.AppendText(nil, shown))
			}
			break
		}
		return q
	})
}

// shortest is the length of the shortest secret, address or path.
const shortest = 6

// moment reports whether a text is of digits and a few hyphens, a date or a number: none of them names
// anything. Each record has its own.
func moment[T string | []byte](s T) bool {
	hyphens := 0
	for i := range len(s) {
		switch c := s[i]; {
		case c == '-':
			hyphens++
		case c < '0' || c > '9':
			return false
		}
	}
	return hyphens <= 3
}

// stays reports whether a text is known to stay as it is under a key that says nothing of it.
func (r *Redactor) stays(s []byte) bool {
	if len(s) < shortest || moment(s) {
		return true
	}
	t, known := r.texts[string(s)]
	return known && t == string(s)
}

// Secrets takes only secrets and the user names of home paths out of a text, and the control characters
// that change how a line is read: what identifies a run is made of texts that must stay apart.
func (r *Redactor) Secrets(s string) string { return r.secrets.of(s, secrets) }

func secrets(s string) string {
	s = visible(s)
	s = shapes(s)
	s = statements(s)
	s = blocks(s)
	s = commandLines(s)
	if strings.ContainsAny(s, "=:") {
		s = replaceValues(nextAssign, s,
			func(name string) bool { return secretKey(name) || passKey(name) }, 0,
			func(name, sep, v string) bool {
				if strings.EqualFold(name, "pass") && !strings.ContainsAny(sep, `="'`) { // "forward pass: 12 ms"
					return false
				}
				return hides(name, v) && (!strings.ContainsRune(sep, ':') || !number(v))
			})
	}
	if strings.Contains(s, `":`) || strings.Contains(s, `':`) { // JSON that was cut, or Python
		s = replaceValues(nextAssign, s, guardedKey, 0, func(name, sep, v string) bool {
			return strings.ContainsAny(sep, `"'`) && !number(v) && (contentKey(name) || shortPrompted(name, v))
		})
	}
	return people(s)
}

// visible replaces what no reader sees but a page or a terminal obeys: control characters other than
// tab and line breaks, and those that turn the direction of writing.
func visible(s string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c == '\t' || c == '\n' || c == '\r' || c == 0x1b: // escape sequences of colours are their reader's
			return c
		case unicode.IsControl(c), c >= 0x202a && c <= 0x202e, c >= 0x2066 && c <= 0x2069, c == 0x200e, c == 0x200f,
			c == 0x061c:
			return unicode.ReplacementChar
		}
		return c
	}, s)
}

// shapes hides what is a secret by its own form, whatever it stands behind.
func shapes(s string) string {
	if len(s) <= 8 && !strings.Contains(s, "//") { // "p://u@h" has a user
		return s
	}
	if strings.Contains(s, "PRIVATE KEY") {
		s = hideAll(rePEM, s, Hidden)
	}
	if strings.ContainsAny(s, "?&") {
		s = hideBehind(reSigned, s)
	}
	if strings.Contains(s, "//") { // the scheme may have been taken for a key
		s = hideAll(reUser, s, "//"+Hidden+"@")
		s = hideAll(reCutUser, s, "//"+Hidden)
		s = hideBehind(reHook, s)
	}
	s = hideBehind(reAuth, s)
	s = hideBehind(reEncoded, s)
	s = hideBehind(reBearer, s)
	s = replaceSubmatches(reWord, s, behindWord)
	return replaceSubmatches(reToken, s, func(m []string) string {
		if w, ok := strings.CutPrefix(m[2], "hf_"); ok && slices.Contains(hfWords, w) {
			return m[0]
		}
		return m[1] + Hidden
	})
}

// behindWord hides what stands behind "Basic", "Api-Key" or "passwd" where it is no word: behind the first a user and a
// password in base64, behind the others letters and digits.
func behindWord(m []string) string {
	secret := strings.ContainsFunc(m[2], unicode.IsDigit) && strings.ContainsFunc(m[2], unicode.IsLetter)
	if strings.EqualFold(m[1][:1], "b") {
		login, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(m[2], "="))
		secret = err == nil && bytes.ContainsRune(login, ':')
	}
	if !secret {
		return m[0]
	}
	return m[1] + Hidden
}

// statements hides the values of names in messages of readers ("backend.api_key" is "..."), in pairs
// of quoted texts, and in objects of a name and a value.
func statements(s string) string {
	if strings.Contains(s, `" is "`) {
		s = replaceSubmatches(reStated, s, func(m []string) string {
			if plain := unquoted(m[2]); says(plain) || !guarded(m[1], plain) {
				return m[0]
			}
			return `"` + m[1] + `" is "` + Hidden + `"`
		})
	}
	if strings.ContainsAny(s, `"'`) && strings.ContainsRune(s, ',') {
		s = replaceSubmatches(rePair, s, func(m []string) string {
			if !secretKey(m[1]) || says(m[2]) || strings.HasSuffix(m[3], ":") {
				return m[0]
			}
			return strings.TrimSuffix(m[0], m[2]+m[3]) + Hidden + m[3]
		})
	}
	if strings.Contains(s, "alue") || strings.Contains(s, "ALUE") {
		s = replaceSubmatches(reNamed, s, func(m []string) string {
			v := strings.TrimLeft(m[4], `\"'`)
			if says(v) || number(v) || !guarded(m[2], v) {
				return m[0]
			}
			return strings.TrimSuffix(m[0], v) + Hidden
		})
	}
	if strings.Contains(s, "ame") || strings.Contains(s, "AME") {
		s = replaceSubmatches(reBehind, s, func(m []string) string {
			if says(m[2]) || number(m[2]) || !guarded(m[4], m[2]) {
				return m[0]
			}
			return m[1] + Hidden + m[3] + m[4]
		})
	}
	return s
}

// reBlock is the line of a key in YAML whose text stands below it.
var reBlock = regexp.MustCompile(`(?m)^([ \t]*)(?:- +)?["']?([A-Za-z_][A-Za-z0-9_.-]*)["']?:[ \t]*[|>][0-9+-]*[ \t]*\r?\n`)

// blocks hides what stands below the key of a secret or of a prompt in YAML, deeper than the key.
func blocks(s string) string {
	if !strings.Contains(s, ": |") && !strings.Contains(s, ": >") {
		return s
	}
	var b strings.Builder
	for at := reBlock.FindStringSubmatchIndex(s); at != nil; at = reBlock.FindStringSubmatchIndex(s) {
		b.WriteString(s[:at[1]])
		indent, hide := s[at[2]:at[3]]+" ", guardedKey(s[at[4]:at[5]])
		for s = s[at[1]:]; hide && (strings.HasPrefix(s, indent) || strings.HasPrefix(strings.TrimLeft(s, "\r"), "\n")); {
			line, rest, more := strings.Cut(s, "\n")
			if line != "" {
				b.WriteString(indent + Hidden)
			}
			if more {
				b.WriteByte('\n')
			}
			s = rest
		}
	}
	return b.String() + s
}

// commandLines hides what flags of commands and files of credentials give away.
func commandLines(s string) string {
	if strings.Contains(s, "achine") || strings.Contains(s, "ACHINE") {
		s = hideAll(reNetrc, s, Hidden)
	}
	s = hideBehind(reIdentified, s)
	s = replaceSubmatches(reSet, s, func(m []string) string {
		if plain := unquoted(m[4]); !secretKey(m[2]) || says(plain) {
			return m[0]
		}
		return m[1] + m[2] + m[3] + requoted(m[4])
	})
	if !strings.ContainsRune(s, '-') {
		return s
	}
	s = hideBehind(reLogin, s)
	s = hideBehind(rePass, s)
	matters := func(name string) bool { return guardedKey(name) || name == "pass" }
	return replaceValues(nextFlag, s, matters, '-', func(name, _, v string) bool {
		return secretKey(name) || name == "pass" && password(name, v) || identityKey(name) && !open(v) ||
			contentKey(name) && !number(v) || shortPrompted(name, v)
	})
}

// people hides the names of users in paths.
func people(s string) string {
	return replaceSubmatches(reHome, s, func(m []string) string {
		if slices.Contains(homes, strings.ToLower(m[2])) || strings.HasPrefix(m[2], "$") {
			return m[0]
		}
		return m[1] + Hidden
	})
}

// identities takes what names a machine or a person out of a text.
func identities(s string) string {
	s = labels(s)
	s = hosts(s)
	return addresses(s)
}

// labels hides the values of names such as "Serial Number", as assignments, rows and XML.
func labels(s string) string {
	if strings.ContainsAny(s, "=:") {
		s = replaceValues(nextAssign, s, identityKey, '/', func(_, _, v string) bool { return !open(v) && !number(v) })
		s = replaceSubmatches(reLabel, s, func(m []string) string {
			v := strings.TrimSpace(m[3])
			if says(v) || open(v) {
				return m[0]
			}
			return m[1] + m[2] + Hidden
		})
	}
	if strings.Contains(s, "</") {
		s = replaceSubmatches(reTag, s, func(m []string) string {
			if !secretKey(m[1]) && !identityKey(m[1]) || says(m[2]) {
				return m[0]
			}
			return "<" + m[1] + ">" + Hidden + "</"
		})
	}
	return s
}

// hosts hides names of hosts: in URLs, of backends on other machines, and alone.
func hosts(s string) string {
	if strings.Contains(s, "//") {
		s = replaceSubmatches(reURL, s, func(m []string) string {
			if !private(m[2]) {
				return m[0]
			}
			return strings.TrimSuffix(m[0], m[2]) + Hidden
		})
	}
	// A backend of llama.cpp on another machine: "RPC[gpu-7:50052]".
	s = replaceSubmatches(reRPC, s, func(m []string) string {
		if open(m[2]) {
			return m[0]
		}
		return m[1] + Hidden + m[3]
	})
	if strings.ContainsRune(s, '.') {
		s = replaceAt(reHost, s, func(before, m, after string) string {
			if !machine(m, after) || strings.HasSuffix(before, "@") {
				return m
			}
			return Hidden
		})
	}
	return s
}

// addresses hides what numbers a device, a machine or a mailbox.
func addresses(s string) string {
	s = hideAll(reUUID, s, Hidden)
	s = hideAll(reMAC, s, Hidden)
	s = replaceAt(reIPv4, s, func(before, m, after string) string {
		a, err := netip.ParseAddr(m)
		if err != nil || a.IsLoopback() || a.IsUnspecified() || strings.HasPrefix(m, "255.") ||
			strings.HasPrefix(after, ".") && len(after) > 1 && after[1] >= '0' && after[1] <= '9' {
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
		return Hidden
	})
	s = replaceAt(reIPv6, s, func(before, m, after string) string {
		a, err := netip.ParseAddr(m)
		if err != nil || !a.Is6() || a.IsLoopback() || a.IsUnspecified() || strings.Count(m, ":") < 3 &&
			!strings.HasSuffix(before, "[") {
			return m
		}
		return Hidden
	})
	if strings.ContainsRune(s, '@') {
		s = replaceSubmatches(reMail, s, func(m []string) string {
			dot := strings.LastIndexByte(m[2], '.')
			mail := dot > 0 && len(m[2])-dot > 2 &&
				strings.Trim(strings.ToLower(m[2][dot+1:]), "abcdefghijklmnopqrstuvwxyz") == ""
			if m[1] == "git" || m[1] == Hidden || !mail && m[3] == "" {
				return m[0]
			}
			return Hidden + m[3]
		})
	}
	return s
}

// public are the sites at which models, code, images, packages and documents are published: a link to
// them names nobody's machine. Names below them count too.
var public = []string{
	"huggingface.co", "hf.co", "modelscope.cn", "github.com", "githubusercontent.com", "github.io", "gitlab.com",
	"bitbucket.org", "docker.io",
	"docker.com", "ghcr.io", "quay.io", "nvcr.io", "nvidia.com", "gcr.io", "mcr.microsoft.com", "public.ecr.aws",
	"pypi.org", "pythonhosted.org",
	"pytorch.org", "anaconda.org", "conda.io", "npmjs.org", "npmjs.com", "kaggle.com", "arxiv.org", "doi.org",
	"zenodo.org", "openreview.net",
	"readthedocs.io", "readthedocs.org", "vllm.ai", "sglang.ai", "openai.com", "amd.com", "intel.com", "apple.com",
	"google.com",
	"apache.org", "gnu.org", "opensource.org", "creativecommons.org", "w3.org", "json-schema.org", "schema.org",
	"python.org", "golang.org", "go.dev",
	"k8s.io", "x-k8s.io", "kubernetes.io", "openshift.io", "mlcommons.org", "mlperf.org", "wikipedia.org", "medium.com",
	"ggml.ai", "ollama.com", "ollama.ai", "llm-d.ai",
}

// published reports whether a host is one of those at which things are published.
func published(host string) bool {
	return slices.ContainsFunc(public,
		func(site string) bool { return host == site || strings.HasSuffix(host, "."+site) })
}

// reachable are the last parts of names of hosts on the Internet, and inner those of networks that are
// somebody's own. Other last parts are endings of files and modules.
var (
	reachable = strings.Fields(`com net org io ai dev cloud edu gov mil info biz app tech eu de fr uk us ca cn jp kr in nl se no fi dk ch at be
		it es pt pl cz ru br mx au nz sg hk tw il ie ws xyz`)
	inner = []string{"local", "internal", "lan", "corp", "intra", "intranet", "home", "localdomain", "svc", "private",
		"arpa", "test"}
)

// machine reports whether a name with dots that stands alone in a text is the name of a host: it ends as
// such names do and has three parts or a port behind it. after is what follows it.
func machine(name, after string) bool {
	name = strings.ToLower(name)
	if published(name) || reRelease.MatchString(name) {
		return false
	}
	parts := strings.Split(name, ".")
	last := parts[len(parts)-1]
	if slices.Contains(inner, last) {
		return len(parts) > 2 || rePort.MatchString(after)
	}
	return slices.Contains(reachable, last) && (len(parts) > 2 || rePort.MatchString(after))
}

// reRelease is a version such as "v0.20.0rc1.dev".
var reRelease = regexp.MustCompile(`^v?\d+\.\d`)

var rePort = regexp.MustCompile(`^:\d{2,5}\b`)

// private reports whether the host of a URL is the name of somebody's machine.
func private(host string) bool {
	if host == "" || open(host) || host == Hidden || strings.HasSuffix(host, "@"+Hidden) {
		return false
	}
	if a, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return !a.IsLoopback() && !a.IsUnspecified()
	}
	// "{host}", "$HOST" and "<host>" stand for a name and are none.
	h := strings.ToLower(strings.TrimSuffix(host, "."))
	return strings.Trim(h, "abcdefghijklmnopqrstuvwxyz0123456789-_.") == "" && !published(h)
}

// escapedQuote is the quote at the beginning of s within a text that is quoted itself: backslashes and a
// quotation mark. It is empty where s begins otherwise.
func escapedQuote(s string) string {
	n := len(s) - len(strings.TrimLeft(s, `\`))
	if n == 0 || n == len(s) || s[n] != '"' && s[n] != '\'' {
		return ""
	}
	return s[:n+1]
}

func unquoted(s string) string {
	if q := escapedQuote(s); q != "" && len(s) >= 2*len(q) && strings.HasSuffix(s, q) {
		return s[len(q) : len(s)-len(q)]
	}
	if len(s) >= 2 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		return s[1 : len(s)-1]
	}
	return s
}

func requoted(s string) string {
	if q := escapedQuote(s); q != "" && len(s) >= 2*len(q) && strings.HasSuffix(s, q) {
		return q + Hidden + q
	}
	if len(s) >= 2 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		return s[:1] + Hidden + s[:1]
	}
	return Hidden
}

// replaceEach replaces each match of re by what f makes of the places of its submatches in s.
func replaceEach(re *regexp.Regexp, s string, f func(at []int) string) string {
	all := find(re, s)
	if all == nil {
		return s
	}
	var b strings.Builder
	end := 0
	for _, at := range all {
		b.WriteString(s[end:at[0]])
		b.WriteString(f(at))
		end = at[1]
	}
	b.WriteString(s[end:])
	return b.String()
}

// hideAll replaces each match of re.
func hideAll(re *regexp.Regexp, s, by string) string {
	return replaceEach(re, s, func([]int) string { return by })
}

// hideBehind hides what of each match of re stands behind its first submatch.
func hideBehind(re *regexp.Regexp, s string) string {
	return replaceEach(re, s, func(at []int) string { return s[at[2]:at[3]] + Hidden })
}

// replaceSubmatches replaces each match of re by what f makes of its submatches.
func replaceSubmatches(re *regexp.Regexp, s string, f func(m []string) string) string {
	return replaceEach(re, s, func(at []int) string {
		m := make([]string, len(at)/2)
		for i := range m {
			if at[2*i] >= 0 {
				m[i] = s[at[2*i]:at[2*i+1]]
			}
		}
		return f(m)
	})
}

// replaceValues finds names by next, each with where it ends and where its value begins, and redacts the values that
// hide says to. The value is looked at only for a name that matters, and only where it does not begin with the byte
// not: within "https://x?token=y" stand "https" and, in its value, "token". Behind a flag of a secret, which is what is
// looked for where not is a hyphen, all values up to the next flag are secrets: "--api-key K1 K2".
func replaceValues(next func(s string, at int) (name, end, value int, ok bool), s string, matters func(name string) bool,
	not byte, hide func(name, sep, value string) bool) string {
	var b strings.Builder
	done := 0 // s up to here is in b
	for at := 0; at < len(s); {
		from, to, begin, ok := next(s, at)
		if !ok {
			break
		}
		name, sep := s[from:to], s[to:begin]
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
		switch {
		case not != '-' || !secretKey(name):
		case strings.Trim(sep, " \t\r\n\\") == "":
			at = furtherValues(s, at)
		case strings.ContainsRune(sep, ','):
			at += len(reElements.FindString(s[at:]))
		}
		done = at
	}
	b.WriteString(s[done:])
	return b.String()
}

// reElements are further texts of a list, up to the next flag.
var reElements = regexp.MustCompile(`^(?:\s*,\s*\\*(?:"[^-"\\][^"\\]*(?:\\*"|$)|'[^-'\\][^'\\]*(?:\\*'|$)))+`)

// furtherValues is where the values of a flag end of which the first ends at i: before the next flag, the
// end of the line or what ends a command.
func furtherValues(s string, i int) int {
	for {
		next := i
		for next < len(s) && (s[next] == ' ' || s[next] == '\t') {
			next++
		}
		if value, ok := behindFlag(s, i); ok && strings.HasPrefix(s[next:], `\`) { // the line goes on
			next = value
		}
		if next == i || next == len(s) || strings.IndexByte("-|&;<>\\\r\n#", s[next]) >= 0 {
			return i
		}
		end := valueEnd(s, next)
		if end == next {
			return i
		}
		i = end
	}
}

// valueEnd is where the value that begins at i ends: behind the closing quote, else before what
// parts values. A quote that is not closed is a part of the value.
func valueEnd(s string, i int) int {
	if q := escapedQuote(s[i:]); q != "" {
		if n := strings.Index(s[i+len(q):], q); n >= 0 {
			return i + len(q) + n + len(q)
		}
		i += len(q) - 1
	}
	if i < len(s) && (s[i] == '"' || s[i] == '\'') {
		for j := i + 1; j < len(s); j++ {
			switch {
			case s[j] == s[i]:
				return j + 1
			case s[j] == '\\' && s[i] == '"':
				j++
			}
		}
		// What is not closed was cut: the rest of the line belongs to it.
		if n := strings.IndexAny(s[i:], "\r\n"); n >= 0 {
			return i + n
		}
		return len(s)
	}
	if n := strings.IndexAny(s[i:], " \t\r\n\"',;&})]"); n >= 0 {
		return i + n
	}
	return len(s)
}

// replaceAt replaces each match of re by what f makes of it and what stands around it.
func replaceAt(re *regexp.Regexp, s string, f func(before, m, after string) string) string {
	return replaceEach(re, s, func(at []int) string { return f(s[:at[0]], s[at[0]:at[1]], s[at[1]:]) })
}

// Path is a path as it is published: without user names and secrets, and never absolute.
func (r *Redactor) Path(p string) string {
	return r.paths.of(p, func(p string) string { return r.relative(named(p)) })
}

// named is a path without secrets and names of users.
func named(p string) string { return people(shapes(stated(visible(p)))) }

// rePart is a part of a name of a file or folder that states a value: "token=x". The extension is none of it.
var rePart = regexp.MustCompile(`([A-Za-z][A-Za-z0-9_-]*)=([^/!,;&]*?)(\.[a-z]{1,5})?([/!,;&]|$)`)

// stated is a path without the secrets that names of files and folders state.
func stated(p string) string {
	if !strings.Contains(p, "=") {
		return p
	}
	return rePart.ReplaceAllStringFunc(p, func(part string) string {
		g := rePart.FindStringSubmatch(part)
		if !hides(g[1], g[2]) || says(g[2]) || number(g[2]) {
			return part
		}
		return g[1] + "=" + Hidden + g[3] + g[4]
	})
}

// relative is a path from the name of its input on: "results/a.json" of "/mnt/x/results/a.json". Of a
// path outside of the inputs, such as a run.toml above them, it is the name and the directory it is in.
func (r *Redactor) relative(p string) string {
	if !outside(p) {
		return p
	}
	for _, in := range r.Inputs {
		if !outside(in) {
			continue
		}
		if rest, ok := strings.CutPrefix(p, r.inputs.of(in, named)); ok && (rest == "" || rest[0] == '/' || rest[0] == '!') {
			return path.Base(in) + rest
		}
	}
	return strings.TrimLeft(path.Join(path.Base(path.Dir(p)), path.Base(p)), "./")
}

// key is the name of a session, as [record.SessionKey] writes it: of texts and of "key=value", among them
// the directory of its files. Where something is hidden, a few digits of a digest keep sessions apart that
// differ in nothing else.
func (r *Redactor) key(s string) string { return r.keys.of(s, r.sessionKey) }

func (r *Redactor) sessionKey(s string) string {
	var parts []string
	changed := false
	for rest := s; rest != ""; {
		quoted, err := strconv.QuotedPrefix(rest)
		if err != nil {
			return r.Text(s)
		}
		rest = strings.TrimPrefix(rest[len(quoted):], " ")
		part, _ := strconv.Unquote(quoted) // it is one
		shown := part
		if name, value, ok := strings.Cut(part, "="); ok {
			shown = r.Text(name) + "=" + r.Value(name, value)
		} else {
			shown = r.Text(part)
		}
		changed = changed || shown != people(part) // homes of users tell no sessions apart
		parts = append(parts, r.published(shown))
	}
	if changed {
		sum := sha256.Sum256([]byte(s))
		parts = append(parts, "~"+hex.EncodeToString(sum[:3]))
	}
	return record.SessionKey(parts...)
}

// published is a text that may be the path of a file of an input: see [Redactor.Path].
func (r *Redactor) published(s string) string {
	for _, in := range r.Inputs {
		if outside(in) && strings.HasPrefix(s, r.inputs.of(in, named)) {
			return r.relative(s)
		}
	}
	return s
}

// outside reports whether a path is absolute or leads out of the directory it starts in.
func outside(p string) bool {
	return strings.HasPrefix(p, "/") || p == ".." || strings.HasPrefix(p, "../") || len(p) > 2 && p[1] == ':' &&
		(p[2] == '/' || p[2] == '\\')
}
