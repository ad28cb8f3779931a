package fetch

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

// retries is how often a request is made again, and longestWait how long it waits for that at the most: who is
// told to come back in an hour says so and ends.
const (
	retries     = 6
	longestWait = 15 * time.Minute
)

// newClient is a client that makes a request again where that may help, and sends the token to the host of the
// API alone, wherever a redirection leads; and the scheme of the API.
func newClient(base string, o Options) (web *http.Client, scheme string, err error) {
	u, err := url.Parse(base)
	if err != nil {
		return nil, "", err
	}
	return patient(&http.Client{
		Transport:     &tokenOf{host: u.Host, scheme: u.Scheme, token: o.Token, next: http.DefaultTransport},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}, o), u.Scheme, nil
}

// patient is a client that makes the requests of another one again where that may help.
func patient(web *http.Client, o Options) *http.Client {
	r := retryablehttp.NewClient()
	r.Logger, r.RetryMax = nil, retries
	r.RetryWaitMin, r.RetryWaitMax = time.Second, time.Minute
	r.ErrorHandler = retryablehttp.PassthroughErrorHandler
	var broken error
	r.CheckRetry = func(ctx context.Context, resp *http.Response, err error) (bool, error) {
		broken = err
		if limited(resp) {
			return wait(resp) <= longestWait, ctx.Err()
		}
		return retryablehttp.DefaultRetryPolicy(ctx, resp, err)
	}
	var pause time.Duration
	r.Backoff = func(least, most time.Duration, attempt int, resp *http.Response) time.Duration {
		pause = retryablehttp.DefaultBackoff(least, most, attempt, nil)
		why := "the connection failed"
		switch {
		case resp != nil:
			why = resp.Status
			pause = max(pause, wait(resp))
		case broken != nil:
			why = hidden(broken).Error()
		}
		if o.Wait != nil {
			o.Wait(pause, why)
		}
		if o.Sleep != nil {
			return 0
		}
		return pause
	}
	if o.Sleep != nil {
		r.PrepareRetry = func(req *http.Request) error { return o.Sleep(req.Context(), pause) }
	}
	r.HTTPClient = web
	c := r.StandardClient()
	c.CheckRedirect = follow
	return c
}

// limited reports whether a server refuses because of too many requests. GitHub says so with 403 too.
func limited(resp *http.Response) bool {
	if resp == nil {
		return false
	}
	switch resp.StatusCode {
	case http.StatusTooManyRequests:
		return true
	case http.StatusForbidden:
		return resp.Header.Get("Retry-After") != "" || resp.Header.Get("X-RateLimit-Remaining") == "0"
	}
	return false
}

// wait is how long a server asks to be left alone; 0 where it does not say.
func wait(resp *http.Response) time.Duration {
	if s := resp.Header.Get("Retry-After"); s != "" {
		if n, err := strconv.Atoi(s); err == nil && n >= 0 {
			return time.Duration(n) * time.Second
		}
		if t, err := http.ParseTime(s); err == nil {
			return until(t)
		}
	}
	if resp.Header.Get("X-RateLimit-Remaining") == "0" {
		if at, err := strconv.ParseInt(resp.Header.Get("X-RateLimit-Reset"), 10, 64); err == nil {
			return until(time.Unix(at, 0))
		}
	}
	return 0
}

// until is how long it is to a time, in whole seconds and never too short.
func until(t time.Time) time.Duration {
	return max(0, time.Until(t).Truncate(time.Second)+time.Second)
}

// tokenOf adds the token to requests to one host.
type tokenOf struct {
	host, scheme, token string
	next                http.RoundTripper
}

func (t *tokenOf) RoundTrip(req *http.Request) (*http.Response, error) {
	if t.token != "" && req.URL.Host == t.host && req.URL.Scheme == t.scheme {
		req = req.Clone(req.Context())
		req.Header.Set("Authorization", "Bearer "+t.token)
	}
	return t.next.RoundTrip(req)
}
