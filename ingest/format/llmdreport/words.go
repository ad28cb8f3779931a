package llmdreport

import (
	"math"
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// known is a text that says something: the converters write "" and inferdex "unknown" where the
// report wants a text and none is known.
func known(s string) string {
	switch s = strings.TrimSpace(s); strings.ToLower(s) {
	case "unknown", "none", "n/a", "null":
		return ""
	}
	return s
}

// seconds is a duration of ISO 8601: "PT1H2M3.5S".
func seconds(s string) (float64, bool) {
	m := iso.FindStringSubmatch(strings.TrimSpace(s))
	if m == nil {
		return 0, false
	}
	total := 0.0
	for i, scale := range []float64{86400, 3600, 60, 1} {
		if m[i+1] != "" {
			f, err := strconv.ParseFloat(m[i+1], 64)
			if err != nil {
				return 0, false
			}
			total += f * scale
		}
	}
	return total, total > 0 && !math.IsInf(total, 0)
}

var iso = regexp.MustCompile(`^P(?:([0-9]+)D)?(?:T(?:([0-9]+)H)?(?:([0-9]+)M)?(?:([0-9.]+)S)?)?$`)

// epoch is a date of seconds since 1970, in UTC.
func epoch(f float64) string {
	if f < 631152000 || f > 7e9 { // 1990 to 2191
		return ""
	}
	return time.Unix(int64(f), 0).UTC().Format("2006-01-02T15:04:05Z")
}

// base is the last element of a path, for data sets that are files.
func base(s string) string {
	if strings.ContainsAny(s, `/\`) && strings.HasPrefix(s, "/") {
		return path.Base(strings.ReplaceAll(s, `\`, "/"))
	}
	return s
}
