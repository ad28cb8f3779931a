package chart

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	gochart "github.com/wcharczuk/go-chart/v2"
)

// Widths are measured with go-chart's text measuring, once for each character: it makes a new font
// face a call, which is where nearly all of its time goes. A reader's font is not go-chart's: DejaVu Sans, which many
// Linux systems have alone, is the widest in use. Its texts are 1.07 to 1.14 times as wide as go-chart's, 1.21 to 1.28
// times where they are bold.
const (
	widest     = 113 // in hundredths of go-chart's widths
	widestBold = 127
)

const (
	measured   = 0x2000 // characters below are measured, others estimated
	probeSize  = 12
	probeCount = 24
)

// advances holds, for each measured character, its advance in thousandths of the font size, plus 1; 0 is
// not measured yet.
var advances [measured]atomic.Int32

var probe sync.Mutex

func advance(r rune) int {
	switch r { // DejaVu Sans draws these much wider than its letters
	case '+', '−', '±', '×', '÷', '=', '<', '>', '≤', '≥', '≈', '→', '#':
		return 742
	case '%':
		return 841
	case '…', '@':
		return 885
	}
	if r >= 0x530 && r < 0x1e00 {
		// Not in go-chart's font: Hebrew, Arabic, the scripts of India and others.
		if unicode.Is(unicode.Mn, r) {
			return 0
		}
		return 680
	}
	if r >= 0 && r < measured {
		if v := advances[r].Load(); v != 0 {
			return int(v - 1)
		}
		v := probeAdvance(r)
		advances[r].Store(int32(v + 1))
		return v
	}
	switch {
	case r == 0x202f || r == 0x2009 || r == 0x200a:
		return 220
	case r >= 0x200b && r <= 0x200f, r >= 0x2066 && r <= 0x2069, r == 0xfe0f, unicode.Is(unicode.Mn, r):
		return 0
	case r >= 0x1f000:
		return 1400
	case r >= 0x2e80 && r < 0xd7a4, r >= 0xf900 && r < 0xfb00, r >= 0xff00:
		return 1050
	}
	return 700
}

func probeAdvance(r rune) int {
	if unicode.Is(unicode.Mn, r) || r < ' ' {
		return 0
	}
	probe.Lock()
	defer probe.Unlock()
	font, err := gochart.GetDefaultFont()
	if err != nil {
		return 600
	}
	m, err := gochart.SVG(1, 1)
	if err != nil {
		return 600
	}
	m.SetDPI(72)
	m.SetFont(font)
	m.SetFontSize(probeSize)
	w := m.MeasureText(strings.Repeat(string(r), probeCount)).Width()
	return w * 1000 / (probeSize * probeCount)
}

// textWidth is the estimated width of s in tenths of a pixel. size is in tenths too.
func textWidth(s string, size int, bold bool) int {
	n := 0
	for _, r := range s {
		n += advance(r)
	}
	if bold {
		n = n * widestBold / 100
	} else {
		n = n * widest / 100
	}
	return (n*size + 999) / 1000
}

// cut shortens s to at most max tenths of a pixel, with an ellipsis, never inside a character with its
// combining marks.
func cut(s string, size int, bold bool, max int) (string, bool) {
	if textWidth(s, size, bold) <= max {
		return s, false
	}
	room := max - textWidth("…", size, bold)
	w, end := 0, 0
	for i, r := range s {
		a := textWidth(string(r), size, bold)
		if w+a > room {
			break
		}
		w += a
		end = i + utf8.RuneLen(r)
	}
	s = s[:end]
	for s != "" {
		r, n := utf8.DecodeLastRuneInString(s)
		if r != 0x200d && r != ' ' && r != ',' {
			break
		}
		s = s[:len(s)-n]
	}
	return s + "…", true
}

// cutTitle cuts a name and returns the whole name where something was lost.
func cutTitle(s string, size int, bold bool, max int) (short, full string) {
	short, was := cut(s, size, bold, max)
	if was {
		return short, s
	}
	return short, ""
}

// cutApart cuts names to at most max. What would be cut to one text is cut at its beginning too, as far as the names
// are the same, so that what tells them apart is left.
func cutApart(names []string, size int, bold bool, max int) []string {
	out := make([]string, len(names))
	for i, s := range names {
		out[i], _ = cut(s, size, bold, max)
	}
	short, tails := slices.Clone(out), make([]string, len(names))
	for i, s := range names {
		same := len(s)
		for j, o := range names {
			if o != s && short[j] == short[i] && !strings.HasPrefix(s, "\u2068") {
				same = min(same, sharedWords(s, o))
			}
		}
		if same < len(s) {
			out[i], _ = cut("…"+s[same:], size, bold, max)
			tails[i] = s[same:]
		}
	}
	// Ends may be the same as well, "8× B200, Tensor…10.8" and "8× H200, Tensor…10.8", or say nothing without the
	// beginnings, where others begin otherwise: all keep as much of their beginnings as there is room for.
	beginnings := map[string]bool{}
	for i, s := range names {
		if short[i] != s {
			beginnings[short[i]] = true
		}
	}
	if len(beginnings) < 2 && len(slices.Compact(slices.Sorted(slices.Values(out)))) == len(out) {
		return out
	}
	again := slices.Clone(out)
	for i, s := range names {
		// Those that differ only further behind keep the end behind all that they share.
		same := len(s)
		for j, o := range names {
			if o != s && again[j] == again[i] && tails[i] != "" {
				same = min(same, sharedWords(s, o))
			}
		}
		if same < len(s) && len(s)-same < len(tails[i]) {
			tails[i] = s[same:]
		}
		if room := max - textWidth(tails[i], size, bold); tails[i] != "" && room > max/3 {
			head, _ := cut(strings.TrimSuffix(s, tails[i]), size, bold, room)
			out[i] = head + tails[i]
		}
	}
	return out
}

// sharedWords is how many bytes of whole words two texts begin with alike.
func sharedWords(a, b string) int {
	n := 0
	for i := 0; i < min(len(a), len(b)) && a[i] == b[i]; i++ {
		if a[i] == ' ' {
			n = i + 1
		}
	}
	return n
}

// wrap breaks s at spaces into at most lines lines of at most max; what does not fit is cut.
func wrap(s string, size, max, lines int) []string {
	out, _ := broken(s, size, max, lines)
	for i := range out {
		out[i], _ = cut(out[i], size, false, max)
	}
	return out
}

// broken breaks s at spaces into at most lines lines; fits is false where one of them is longer than max.
func broken(s string, size, max, lines int) (out []string, fits bool) {
	line := ""
	words := words(s)
	for i, w := range words {
		try := w
		if line != "" {
			try = line + " " + w
		}
		if line == "" || textWidth(try, size, false) <= max {
			line = try
			continue
		}
		if len(out) == lines-1 {
			line = strings.Join(append([]string{line}, words[i:]...), " ")
			break
		}
		out = append(out, line)
		line = w
	}
	if line != "" {
		out = append(out, line)
	}
	return out, !slices.ContainsFunc(out, func(row string) bool { return textWidth(row, size, false) > max })
}

// words are the parts of s that a line may be broken between: at spaces, not at no-break spaces.
func words(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == ' ' })
}

// clean makes foreign text fit for a drawing: valid UTF-8 that XML allows, on one line, without controls of
// direction; text that runs right to left is isolated from what stands beside it.
func clean(s string) string {
	ok := true
	for _, r := range s {
		if r < ' ' || r > '~' {
			ok = false
			break
		}
	}
	if ok {
		return s
	}
	var b strings.Builder
	rtl, space := false, false
	for _, r := range s {
		switch {
		case r == ' ' || r == '\t' || r == '\n' || r == '\r':
			space = b.Len() > 0
			continue
		case r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0x200e, r == 0x200f, r == 0x61c:
			continue
		case r < ' ', r >= 0x7f && r < 0xa0, r == 0xfffe, r == 0xffff, r == utf8.RuneError:
			r = '�'
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		rtl = rtl || r >= 0x590 && r <= 0x8ff || r >= 0xfb1d && r <= 0xfdff || r >= 0xfe70 && r <= 0xfefc ||
			r >= 0x10800 && r <= 0x10fff || r >= 0x1e800 && r <= 0x1efff
		b.WriteRune(r)
	}
	if rtl {
		return "\u2068" + b.String() + "\u2069"
	}
	return b.String()
}

// isolated closes the isolation that cutting may have left open.
func isolated(s string) string {
	if strings.HasPrefix(s, "\u2068") && !strings.HasSuffix(s, "\u2069") {
		return s + "\u2069"
	}
	return s
}
