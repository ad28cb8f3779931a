package serve

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"io/fs"
	"mime"
	"net"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"
)

// ownPath is the folder of addresses that are ours and not the site's.
const ownPath = "/_inferdex/"

//go:embed reload.js
var reloadScript []byte

// handler answers with the files of the built site.
type handler struct {
	dir    func() fs.FS
	status *status
	// addr is what is listened on, and machine the name of this one: see answersTo.
	addr, machine string
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	// A page that is about to change must not be kept.
	header.Set("Cache-Control", "no-store")
	// The site may show text of foreign files, and its data comes as scripts: neither may be
	// taken for something else, nor be loaded into a page of another site.
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Cross-Origin-Resource-Policy", "same-site")

	if !h.answersTo(hostOnly(r.Host)) {
		http.Error(w, "this server does not answer to that name", http.StatusForbidden)
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		header.Set("Allow", "GET, HEAD")
		http.Error(w, "only GET and HEAD are answered", http.StatusMethodNotAllowed)
		return
	}
	switch {
	case r.URL.Path == ownPath+"events":
		h.events(w, r)
	case r.URL.Path == ownPath+"reload.js":
		header.Set("Content-Type", contentType("reload.js"))
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(reloadScript))
	case strings.HasPrefix(r.URL.Path, ownPath):
		http.Error(w, "not found", http.StatusNotFound)
	default:
		h.file(w, r)
	}
}

// answersTo reports whether the server goes by a name. A page of another site may have its own name lead to
// this machine, and would read what is served: names are those of this machine and the one that was asked
// for. An address leads nowhere else; where only this machine is meant, only its own do.
func (h *handler) answersTo(host string) bool {
	if loopbackHost(host) {
		return true
	}
	if loopbackAddr(h.addr) || host == "" {
		return false
	}
	asked, _, _ := net.SplitHostPort(h.addr)
	name, _, _ := strings.Cut(h.machine, ".")
	for _, own := range []string{asked, h.machine, name, name + ".local"} {
		if own != "" && strings.EqualFold(host, own) {
			return true
		}
	}
	return net.ParseIP(host) != nil
}

// hostOnly takes the port off a Host header.
func hostOnly(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
}

// file answers with the file, or the index of the directory, that the path names.
func (h *handler) file(w http.ResponseWriter, r *http.Request) {
	// Taken before the file is read: should a build end in between, the page reloads once more
	// than needed, and never once less.
	now := h.status.get()
	var site fs.FS
	if h.dir != nil {
		site = h.dir()
	}
	if site == nil {
		h.noSite(w, now)
		return
	}
	name := strings.TrimPrefix(r.URL.Path, "/")
	slash := name == "" || strings.HasSuffix(name, "/")
	if name == "" {
		name = "."
	} else if name = strings.TrimSuffix(name, "/"); name == "." || !fs.ValidPath(name) {
		// "..", "." and empty elements are in no page's address.
		h.notFound(w, site, now, r.URL.Path)
		return
	}
	info, err := fs.Stat(site, name)
	if err == nil && info.IsDir() {
		name = path.Join(name, "index.html")
		info, err = fs.Stat(site, name)
		if err == nil && !info.IsDir() && !slash {
			to := url.URL{Path: r.URL.Path + "/", RawQuery: r.URL.RawQuery}
			http.Redirect(w, r, to.String(), http.StatusFound)
			return
		}
	} else if err == nil && slash {
		err = fs.ErrNotExist // a file is no directory
	}
	if err != nil || !info.Mode().IsRegular() {
		h.notFound(w, site, now, r.URL.Path)
		return
	}
	f, err := site.Open(name)
	if err != nil {
		h.notFound(w, site, now, r.URL.Path)
		return
	}
	defer f.Close()

	w.Header().Set("Content-Type", contentType(name))
	content, seeks := f.(io.ReadSeeker)
	if page := isHTML(name); page || !seeks {
		data, err := io.ReadAll(f)
		if err != nil {
			w.Header().Del("Content-Type")
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		if page {
			data = inject(data, now.build)
		}
		content = bytes.NewReader(data)
	}
	http.ServeContent(w, r, "", time.Time{}, content)
}

// notFound answers with the site's own page for it.
func (h *handler) notFound(w http.ResponseWriter, site fs.FS, now snapshot, asked string) {
	if _, err := fs.Stat(site, "index.html"); errors.Is(err, fs.ErrNotExist) {
		h.noSite(w, now)
		return
	}
	page, err := fs.ReadFile(site, "404.html")
	if err != nil {
		page = statusPage("Not found", fmt.Sprintf("the site has nothing at %q", asked), "")
	}
	w.Header().Set("Content-Type", contentType("404.html"))
	w.WriteHeader(http.StatusNotFound)
	w.Write(inject(page, now.build)) // the server drops the body of an answer to HEAD
}

// noSite answers while no build has succeeded and nothing was built before.
func (h *handler) noSite(w http.ResponseWriter, now snapshot) {
	text := "The site is being built. This page reloads when it is there."
	switch {
	case now.failure != nil:
		text = now.failure.Error()
	case now.ended:
		text = "The build succeeded, but there is no index.html where the site should be."
	}
	w.Header().Set("Content-Type", contentType("index.html"))
	w.WriteHeader(http.StatusServiceUnavailable)
	w.Write(inject(statusPage("No site yet", text, errorID), now.build))
}

// errorID marks the element that holds the build's error in a page that is nothing else: the
// script writes a later error into it instead of laying it over the page.
const errorID = "inferdex-build-error"

func statusPage(title, text, id string) []byte {
	return fmt.Appendf(nil, `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self'; connect-src 'self'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>%[1]s</title>
</head>
<body>
<h1>%[1]s</h1>
<pre id="%[3]s">%[2]s</pre>
</body>
</html>
`, html.EscapeString(title), html.EscapeString(text), html.EscapeString(id))
}

// inject puts the script that reloads the page into it. The script is a file of this server and
// talks to nothing else, which is what the pages' content security policy allows.
func inject(page []byte, build string) []byte {
	tag := `<script defer src="` + ownPath + `reload.js?build=` + url.QueryEscape(build) + `"></script>`
	at := indexTag(page, "</head>")
	if at < 0 {
		at = indexTag(page, "<body") // whoever leaves out </head> is in the head up to here
	}
	if at < 0 {
		at = len(page)
	}
	out := make([]byte, 0, len(page)+len(tag))
	out = append(out, page[:at]...)
	out = append(out, tag...)
	return append(out, page[at:]...)
}

// indexTag finds tag in any case. Lower-casing the page would move the bytes behind letters
// whose other case is of another length.
func indexTag(page []byte, tag string) int {
	for from := 0; ; {
		i := bytes.IndexByte(page[from:], '<')
		if i < 0 || len(page)-from-i < len(tag) {
			return -1
		}
		from += i
		if strings.EqualFold(string(page[from:from+len(tag)]), tag) {
			return from
		}
		from++
	}
}

// events streams to one page what it has to know: "reload" with the name of the newest build
// when the page, which says in ?build= which one it is of, is older; "building" while a build is under way;
// "build-error" with the text of the error as a JSON string, "mistakes" where the site was built none the less.
// ("error" is what a browser calls the end of the connection.)
func (h *handler) events(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	if r.Method == http.MethodHead {
		return
	}
	now := h.status.get()
	page := r.URL.Query().Get("build")
	if page == "" {
		page = now.build
	}
	out := http.NewResponseController(w)
	if _, err := io.WriteString(w, "retry: 1000\n\n"); err != nil {
		return
	}
	for {
		var err error
		if now.build != page {
			page = now.build
			_, err = fmt.Fprintf(w, "event: reload\ndata: %s\n\n", page)
		}
		switch {
		case err != nil:
		case now.building:
			_, err = io.WriteString(w, "event: building\ndata: building\n\n")
		case now.failure != nil:
			text, _ := json.Marshal(now.failure.Error()) // a string always can be
			event := "build-error"
			if mistakes := (*Mistakes)(nil); errors.As(now.failure, &mistakes) {
				event = "mistakes"
			}
			_, err = fmt.Fprintf(w, "event: %s\ndata: %s\n\n", event, text)
		}
		if err != nil || out.Flush() != nil {
			return
		}
		select {
		case <-r.Context().Done():
			return
		case <-now.next:
		}
		now = h.status.get()
	}
}

// contentTypes are the types of what a site holds. The system's own table is asked only for
// others: it differs from one machine to the next.
var contentTypes = map[string]string{
	".css":   "text/css; charset=utf-8",
	".csv":   "text/csv; charset=utf-8",
	".gz":    "application/gzip", // a download, not a text that happens to be compressed
	".html":  "text/html; charset=utf-8",
	".js":    "text/javascript; charset=utf-8",
	".json":  "application/json",
	".jsonl": "application/jsonl; charset=utf-8",
	".md":    "text/markdown; charset=utf-8",
	".png":   "image/png",
	".svg":   "image/svg+xml",
	".txt":   "text/plain; charset=utf-8",
	".woff2": "font/woff2",
	".xml":   "application/xml",
	".yaml":  "application/yaml",
}

func contentType(name string) string {
	ext := strings.ToLower(path.Ext(name))
	if t, ok := contentTypes[ext]; ok {
		return t
	}
	if t := mime.TypeByExtension(ext); t != "" {
		return t
	}
	return "application/octet-stream"
}

func isHTML(name string) bool {
	return strings.HasPrefix(contentType(name), "text/html")
}
