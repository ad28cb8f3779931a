package redact

import (
	"regexp"
	"strings"
)

// A gate says cheaply where an expression can match at all: the expressions take a hundred times as long over a text
// in which nothing is to be hidden, which is most of all text.
type gate struct {
	// may reports whether a text, or a run of it, can hold a match; nil is any.
	may func(s string) bool
	// of holds the bytes that matches are made of and those that \b looks at beside them: no match crosses another.
	// Nil: matches may be of any bytes.
	of *[256]bool
	// within is the expression in a run that does not begin the text; nil is the same one.
	within *regexp.Regexp
}

// runOf is a set of ASCII bytes, and of all bytes of other characters.
func runOf(ascii string) *[256]bool {
	var set [256]bool
	for i := range len(ascii) {
		set[ascii[i]] = true
	}
	for i := 0x80; i < len(set); i++ {
		set[i] = true
	}
	return &set
}

// butOf is the set of all other bytes.
func butOf(ascii string) *[256]bool {
	set := runOf("")
	for i := range 0x80 {
		set[i] = strings.IndexByte(ascii, byte(i)) < 0
	}
	return set
}

const wordBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

// gates are those of the expressions that have one.
var gates = func() map[*regexp.Regexp]gate {
	all := map[*regexp.Regexp]gate{}
	add := func(re *regexp.Regexp, may func(s string) bool, of *[256]bool) { all[re] = gate{may: may, of: of} }
	add(reSigned, oneOf("="), nil)
	add(reUser, allOf("//", "@"), unspaced)
	add(reCutUser, allOf("//", ":"), unspaced)
	add(reHook, oneOf("hooks.slack.com", "/api/webhooks", ".webhook.office.com", "outlook.office", "api.telegram.org/bot"), nil)
	add(reAuth, folded("authorization"), nil)
	add(reEncoded, folded("authorization"), nil)
	add(reWord, oneOf("asic", "ASIC", "pi-", "PI-", "assw", "ASSW"), nil)
	add(reIdentified, oneOf("IDENTIFIED", "identified"), nil)
	add(reSet, oneOf("set ", "set\t", "setenv"), nil)
	add(reBearer, folded("bearer"), nil)
	add(reToken, oneOf("hf_", "api_org_", "sk-", "k_live_", "k_test_", "whsec_", "gsk_",
		"r8_", "nvapi-", "xai-", "pplx-", "csk-", "tgp_v1_", "fw_", "rpa_", "jina_", "wandb_v1_", "npm_", "pypi-",
		"dckr_", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "glrt-", "glptt-", "gldt-", "ATATT3x",
		"xox", "xapp-", "SG.", "AKIA", "ASIA", "AIDA", "AROA", "AIza", "ya29.", "GOCSPX-", "_v1_", "dapi", "hvs.", "tskey-",
		"AGE-SECRET-KEY-1", "eyJ", "shpat_", "shpca_", "shppa_", "shpss_", "figd_", "lin_api_", "ntn_", "sntry", "tvly-", "sq0"), runOf(wordBytes+"-.="))
	add(rePair, quotesAroundComma, nil)
	add(reNamed, stating("value"), nil)
	add(reBehind, stating("name"), nil)
	add(reNetrc, folded("login"), nil)
	add(reLogin, loginFlag, nil)
	add(rePass, oneOf("sshpass", "docker", "mysql", "redis-cli"), nil)
	add(reHome, oneOf("/home/", "/Users/", "/users/", "/scratch/", `\Users\`), nil)
	add(reLabel, labelled, nil)
	add(reRPC, oneOf("RPC["), nil)
	add(reHost, oneOf("."), runOf(wordBytes+"-."))
	add(reUUID, count("-", 4), runOf(wordBytes+"-"))
	add(reMAC, func(s string) bool { return count(":", 5)(s) || count("-", 5)(s) }, runOf(wordBytes+"-:"))
	add(reIPv4, count(".", 3), runOf(wordBytes+"."))
	add(reIPv6, count(":", 2), runOf(wordBytes+":%"))
	add(reMail, oneOf("@"), runOf(wordBytes+".+-@:~/"))
	all[reURL] = gate{may: oneOf("//"), of: unspaced,
		within: regexp.MustCompile(strings.Replace(reURL.String(), ":|^)//", ":)//", 1))}
	return all
}()

// unspaced are the bytes of what stands without blanks and quotes.
var unspaced = butOf(" \t\n\f\r\"'<>")

func oneOf(parts ...string) func(s string) bool {
	return func(s string) bool {
		for _, p := range parts {
			if strings.Contains(s, p) {
				return true
			}
		}
		return false
	}
}

func allOf(parts ...string) func(s string) bool {
	return func(s string) bool {
		for _, p := range parts {
			if !strings.Contains(s, p) {
				return false
			}
		}
		return true
	}
}

func count(part string, least int) func(s string) bool {
	return func(s string) bool { return strings.Count(s, part) >= least }
}

// folded finds a word of lower-case letters in any case. It has no k and no s: to an expression there are more of them
// than in ASCII.
func folded(word string) func(s string) bool {
	return func(s string) bool { return foldIndex(s, 0, word) >= 0 }
}

// foldIndex is where a word of lower-case ASCII letters stands next in s from a place on, in any case; -1 for nowhere.
func foldIndex(s string, from int, word string) int {
	low, up := word[0], word[0]-0x20
	for i := from; i+len(word) <= len(s); i++ {
		if c := s[i]; (c == low || c == up) && strings.EqualFold(s[i:i+len(word)], word) {
			return i
		}
	}
	return -1
}

// stating finds a word as the name of a value: `value: `, `"value" =`, `\"value\":`.
func stating(word string) func(s string) bool {
	return func(s string) bool {
		for i := foldIndex(s, 0, word); i >= 0; i = foldIndex(s, i+1, word) {
			if _, ok := separator(s, i+len(word)); ok {
				return true
			}
		}
		return false
	}
}

// separator is where `\\*["']?\s*[=:]` ends that begins at i.
func separator(s string, i int) (end int, ok bool) {
	for i < len(s) && s[i] == '\\' {
		i++
	}
	if i < len(s) && (s[i] == '"' || s[i] == '\'') {
		i++
	}
	i = behindBlanks(s, i)
	return i + 1, i < len(s) && (s[i] == '=' || s[i] == ':')
}

func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r' }

func behindBlanks(s string, i int) int {
	for i < len(s) && blank(s[i]) {
		i++
	}
	return i
}

// quotesAroundComma reports whether a comma has a quote on both sides.
func quotesAroundComma(s string) bool {
	for i := range len(s) {
		if s[i] != ',' {
			continue
		}
		before, behind := i-1, behindBlanks(s, i+1)
		for before >= 0 && blank(s[before]) {
			before--
		}
		if before >= 0 && behind < len(s) && (s[before] == '"' || s[before] == '\'') && (s[behind] == '"' || s[behind] == '\'') {
			return true
		}
	}
	return false
}

// loginFlag reports whether a flag of a user stands behind a blank.
func loginFlag(s string) bool {
	for i := 1; i < len(s); i++ {
		if s[i] == '-' && blank(s[i-1]) && (strings.HasPrefix(s[i:], "-u") || strings.HasPrefix(s[i:], "-a") ||
			strings.HasPrefix(s[i:], "--user") || strings.HasPrefix(s[i:], "--proxy-user")) {
			return true
		}
	}
	return false
}

// unusual are the letters outside of ASCII that expressions without case take for a k and an s.
const unusual = "\u212a\u017f"

// labelEnds are the last letters of labels.
var labelEnds = []string{"number", "serial", "uuid", "id", "name", "addr", "address", "key", "tag", "list"}

// reLabelEnd is a label at the end of a text.
var reLabelEnd = regexp.MustCompile(`(?i)(?:` + labelNames + `)$`)

// longestLabel is more than any label has, in bytes.
const longestLabel = 32

// labelled reports whether the end of a label stands before a colon or an equals sign.
func labelled(s string) bool {
	for i := range len(s) {
		if s[i] != ':' && s[i] != '=' {
			continue
		}
		end := i
		for end > 0 && blank(s[end-1]) {
			end--
		}
		for _, word := range labelEnds {
			if end >= len(word) && strings.EqualFold(s[end-len(word):end], word) && reLabelEnd.MatchString(s[max(0, end-longestLabel):end]) {
				return true
			}
		}
	}
	return strings.ContainsAny(s, unusual)
}

// find is all matches of re in s, as FindAllStringSubmatchIndex has them.
func find(re *regexp.Regexp, s string) [][]int {
	g, gated := gates[re]
	switch {
	case !gated:
		return re.FindAllStringSubmatchIndex(s, -1)
	case g.of == nil:
		if !g.may(s) {
			return nil
		}
		return re.FindAllStringSubmatchIndex(s, -1)
	case !g.may(s):
		return nil
	}
	var found [][]int
	for i := 0; i < len(s); i++ {
		if !g.of[s[i]] {
			continue
		}
		begin := i
		for i < len(s) && g.of[s[i]] {
			i++
		}
		if !g.may(s[begin:i]) {
			continue
		}
		in := re
		if begin > 0 && g.within != nil {
			in = g.within
		}
		for _, at := range in.FindAllStringSubmatchIndex(s[begin:i], -1) {
			for j := range at {
				if at[j] >= 0 {
					at[j] += begin
				}
			}
			found = append(found, at)
		}
	}
	return found
}

// nextAssign finds `([A-Za-z_][A-Za-z0-9_.-]*)(\\*["']?\s*[=:]\s*)` in s from a place on: where the name begins and ends
// and where its value begins.
func nextAssign(s string, at int) (name, end, value int, ok bool) {
	for i := at; i < len(s); {
		if !letter(s[i]) && s[i] != '_' {
			i++
			continue
		}
		name, end = i, nameEnd(s, i)
		if value, ok = separator(s, end); ok {
			return name, end, behindBlanks(s, value), true
		}
		i = end
	}
	return 0, 0, 0, false
}

// nextFlag finds a flag in s from a place on, which counts as the beginning: `(?:^|[\s"'` + "`" + `\[,(=:;])--?` before its name, and
// behind it a line that goes on, `\s*\\\r?\n\s*`, a comma or an equals sign, or blanks.
func nextFlag(s string, at int) (name, end, value int, ok bool) {
	for i := at; i < len(s); i++ {
		if s[i] != '-' || i > at && !blank(s[i-1]) && strings.IndexByte("\"'`[,(=:;", s[i-1]) < 0 {
			continue
		}
		name = i + 1
		if name < len(s) && s[name] == '-' {
			name++
		}
		if name == len(s) || !letter(s[name]) {
			continue
		}
		end = nameEnd(s, name)
		if value, ok = behindFlag(s, end); ok {
			return name, end, value, true
		}
	}
	return 0, 0, 0, false
}

// behindFlag is where the value of a flag begins whose name ends at i.
func behindFlag(s string, i int) (value int, ok bool) {
	if j := behindBlanks(s, i); j < len(s) && s[j] == '\\' {
		rest := strings.TrimPrefix(s[j+1:], "\r")
		if strings.HasPrefix(rest, "\n") {
			return behindBlanks(s, len(s)-len(rest)+1), true
		}
	}
	for i < len(s) && s[i] == '\\' {
		i++
	}
	if i < len(s) && (s[i] == '"' || s[i] == '\'') {
		i++
	}
	if j := behindBlanks(s, i); j < len(s) && (s[j] == ',' || s[j] == '=') {
		return behindBlanks(s, j+1), true
	}
	for value = i; value < len(s) && blank(s[value]) && s[value] != '\n'; {
		value++
	}
	return value, value > i
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// nameEnd is where the name ends that begins at i.
func nameEnd(s string, i int) int {
	for i < len(s) && (letter(s[i]) || s[i] >= '0' && s[i] <= '9' || s[i] == '_' || s[i] == '.' || s[i] == '-') {
		i++
	}
	return i
}
