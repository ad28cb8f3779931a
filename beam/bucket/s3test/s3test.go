// Package s3test is as much of an S3 server as reading a store and writing a catalog asks for. It fails on demand, and
// its objects may be made when they are read.
package s3test

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// Server is a server with one bucket, "store". Its fields are set before the first request.
type Server struct {
	// Keys are those of objects that Make makes, sorted; what is written is listed beside them.
	Keys []string
	Make func(key string) []byte
	// Size says how long an object is without making it; nil makes it.
	Size func(key string) int
	// Gone are keys that are listed though nothing is there, as by a list that is behind.
	Gone []string
	// Busy answers each n-th request with 503, Cut ends each n-th body in its middle; 0 is never.
	Busy, Cut int
	// Page is how many keys a list has at most; 0 is as many as are asked for.
	Page int

	server *httptest.Server

	mu       sync.Mutex
	written  map[string][]byte
	requests int
	bodies   int
	Lists    int // answered lists
}

// Start starts the server; it ends with the test.
func (s *Server) Start(t testing.TB) {
	s.written = map[string][]byte{}
	s.server = httptest.NewServer(s)
	t.Cleanup(s.server.Close)
}

// Address is that of a folder in the bucket.
func (s *Server) Address(folder string) string {
	return "s3://store/" + folder + "?endpoint=" + s.server.URL + "&use_path_style=true&region=us-east-1&anonymous=true"
}

// Written are the objects that were written below a folder, without it.
func (s *Server) Written(folder string) map[string]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := map[string]string{}
	for k, data := range s.written {
		if rest, ok := strings.CutPrefix(k, folder+"/"); ok {
			out[rest] = string(data)
		}
	}
	return out
}

var began = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// made says that Make makes an object.
func (s *Server) made(key string) bool {
	_, ok := slices.BinarySearch(s.Keys, key)
	return ok && !slices.Contains(s.Gone, key)
}

func (s *Server) object(key string) ([]byte, bool) {
	s.mu.Lock()
	data, ok := s.written[key]
	s.mu.Unlock()
	if ok {
		return data, true
	}
	if !s.made(key) {
		return nil, false
	}
	return s.Make(key), true
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.requests++
	busy := s.Busy > 0 && s.requests%s.Busy == 0
	s.mu.Unlock()
	if busy {
		_, _ = io.Copy(io.Discard, r.Body)
		fail(w, http.StatusServiceUnavailable, "SlowDown")
		return
	}
	key := strings.TrimPrefix(strings.TrimPrefix(r.URL.Path, "/store"), "/")
	switch {
	case r.Method == http.MethodPut:
		s.put(w, r, key)
	case key == "" && r.Method == http.MethodGet:
		s.list(w, r)
	default:
		s.get(w, r, key)
	}
}

func fail(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(status)
	fmt.Fprintf(w, "<Error><Code>%s</Code><Message>%s</Message></Error>", code, code)
}

func (s *Server) put(w http.ResponseWriter, r *http.Request, key string) {
	body := io.Reader(r.Body)
	if strings.Contains(r.Header.Get("Content-Encoding"), "aws-chunked") {
		body = unchunked(r.Body)
	}
	data, err := io.ReadAll(body)
	if err != nil {
		fail(w, http.StatusBadRequest, "IncompleteBody")
		return
	}
	s.mu.Lock()
	s.written[key] = data
	s.mu.Unlock()
	w.Header().Set("ETag", `"0"`)
}

// unchunked is a body of chunks with their sizes in front, and sums behind them.
func unchunked(r io.Reader) io.Reader {
	var out bytes.Buffer
	b := bufio.NewReader(r)
	for {
		line, err := b.ReadString('\n')
		if err != nil {
			break
		}
		size, _, _ := strings.Cut(strings.TrimSpace(line), ";")
		n, err := strconv.ParseInt(size, 16, 64)
		if err != nil || n == 0 {
			break
		}
		_, _ = io.CopyN(&out, b, n)
		_, _ = b.Discard(2)
	}
	_, _ = io.Copy(io.Discard, b)
	return &out
}

func (s *Server) get(w http.ResponseWriter, r *http.Request, key string) {
	if r.Method == http.MethodHead && s.Size != nil && s.made(key) {
		w.Header().Set("ETag", `"0"`)
		w.Header().Set("Last-Modified", began.Format(http.TimeFormat))
		w.Header().Set("Content-Length", strconv.Itoa(s.Size(key)))
		return
	}
	data, ok := s.object(key)
	if !ok {
		fail(w, http.StatusNotFound, "NoSuchKey")
		return
	}
	w.Header().Set("ETag", `"0"`)
	s.mu.Lock()
	s.bodies++
	cut := s.Cut > 0 && s.bodies%s.Cut == 0 && r.Method == http.MethodGet
	s.mu.Unlock()
	if cut {
		w = &cutter{ResponseWriter: w, left: int64(len(data)) / 2}
	}
	http.ServeContent(w, r, "", began, bytes.NewReader(data))
}

// cutter breaks a connection off in the middle of a body.
type cutter struct {
	http.ResponseWriter
	left int64
}

func (c *cutter) Write(p []byte) (int, error) {
	n, err := c.ResponseWriter.Write(p[:min(int64(len(p)), c.left)])
	if c.left -= int64(n); c.left == 0 && err == nil {
		panic(http.ErrAbortHandler)
	}
	return n, err
}

type listed struct {
	XMLName               xml.Name `xml:"ListBucketResult"`
	IsTruncated           bool
	NextContinuationToken string `xml:",omitempty"`
	Contents              []content
	CommonPrefixes        []prefix
}

type content struct {
	Key          string
	Size         int
	LastModified string
	ETag         string
}

type prefix struct{ Prefix string }

// list answers a page of ListObjectsV2.
func (s *Server) list(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	most, _ := strconv.Atoi(q.Get("max-keys"))
	if most == 0 || s.Page > 0 && s.Page < most {
		most = max(s.Page, 1)
	}
	s.mu.Lock()
	s.Lists++
	keys := slices.Clone(s.Keys)
	for k := range s.written {
		keys = append(keys, k)
	}
	s.mu.Unlock()
	slices.Sort(keys)
	var out listed
	last := q.Get("continuation-token")
	from, _ := slices.BinarySearch(keys, max(last, q.Get("prefix")))
	for _, k := range keys[from:] {
		rest, ok := strings.CutPrefix(k, q.Get("prefix"))
		if !ok {
			break
		}
		if k <= last || strings.HasSuffix(last, "/") && strings.HasPrefix(k, last) {
			continue
		}
		if len(out.Contents)+len(out.CommonPrefixes) == most {
			out.IsTruncated = true
			break
		}
		if i := strings.Index(rest, "/"); i >= 0 && q.Get("delimiter") == "/" {
			last = k[:len(k)-len(rest)+i+1]
			out.CommonPrefixes = append(out.CommonPrefixes, prefix{last})
		} else {
			last = k
			out.Contents = append(out.Contents, content{k, s.size(k), began.Format(time.RFC3339), `"0"`})
		}
	}
	if out.IsTruncated {
		out.NextContinuationToken = last
	}
	w.Header().Set("Content-Type", "application/xml")
	_ = xml.NewEncoder(w).Encode(out)
}

func (s *Server) size(key string) int {
	if s.Size != nil {
		return s.Size(key)
	}
	if data, ok := s.object(key); ok {
		return len(data)
	}
	return 1
}
