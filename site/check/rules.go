package check

import "fmt"

// Severity says what a finding means for publishing.
type Severity string

const (
	// Error is a fault that a reader meets: a site with one is not to be published.
	Error Severity = "error"
	// Warning is what a person should look at before publishing.
	Warning Severity = "warning"
	// Note is worth knowing: a budget that is nearly used up.
	Note Severity = "note"
)

// Rule is one thing that Site looks for.
type Rule struct {
	Code     string
	Severity Severity
	// Doc says in one sentence what must hold.
	Doc string
}

// Rules are all rules, grouped by what they look at. A finding has the code of one of them. Names of
// links, buttons, pictures and tables are left to axe, which knows what a browser makes of them; of
// headings there are rules, because the Markdown of a catalog's own pages easily skips a level.
var Rules = []Rule{
	// The tree.
	{"no-home", Error, "a site has an index.html at its root"},
	{"symlink", Error, "a symbolic link leads to a file inside the site"},
	{"empty-file", Error, "a file is not empty, .nojekyll excepted"},
	{"site-size", Error, "the whole site stays below what a host takes: 1 GB on GitHub Pages"},
	{"file-size", Error, "no file is larger than a repository takes: 100 MB on GitHub"},

	// Links.
	{"broken-link", Error, "a link leads to a file that exists"},
	{"broken-anchor", Error, "the part of a link behind # is an id of the page it leads to"},
	{"directory-link", Error, "a link names index.html, because a browser does not add it for file://"},
	{"rooted-link", Error, "a link is relative to its page, because a site may lie below any path; " +
		"only 404.html links from the base path"},
	{"relative-404", Error, "404.html links from the base path, because it is shown at any depth"},
	{"absolute-link", Error, "a link to a page of the same site does not name the host"},
	{"bad-url", Error, "an address can be parsed and has a scheme that a page may link to"},
	{"script-url", Error, "no address is a script"},
	{"canonical", Error, "the canonical address of a page is its own"},
	{"sitemap", Error, "a sitemap lists addresses of this site"},

	// Identity of elements.
	{"bad-id", Error, "an id is one word"},
	{"duplicate-id", Error, "an id stands once on a page"},
	{"missing-id", Error, "an attribute that names an id names one of the same page"},

	// What the content security policy forbids, and what works without a server.
	{"csp-missing", Error, "a page states its content security policy"},
	{"csp-first", Error, "the policy is the first element of the head, before anything it governs"},
	{"csp-policy", Error, "the policy is the one of this program"},
	{"inline-script", Error, "a script element without src holds JSON"},
	{"inline-style", Error, "no style element and no style attribute outside .svg files"},
	{"event-attribute", Error, "no attribute holds a script"},
	{"foreign-resource", Error, "nothing is loaded from another host"},
	{"blocked", Error, "a page does not ask for what its policy blocks: frames, plugins, media, forms that are sent"},
	{"module-script", Error, "a script is a classic one, because modules do not load from file://"},
	{"script-defer", Error, "a script is deferred"},
	{"base-element", Error, "no base element changes where links lead"},
	{"json-block", Error, "a data block is valid JSON"},

	// The document.
	{"doctype", Error, "a page begins with <!DOCTYPE html>"},
	{"charset", Error, "the encoding is declared as UTF-8 in the first 1024 bytes"},
	{"utf8", Error, "text is valid UTF-8"},
	{"viewport", Error, "a page has a viewport declaration"},
	{"title", Error, "a page has a title"},
	{"title-unique", Error, "no two pages have the same title"},
	{"description", Error, "a page has a meta description"},
	{"h1", Error, "a page has exactly one h1"},
	{"heading-order", Error, "heading levels are not skipped"},
	{"empty-link", Error, "a link has an address"},
	{"unclosed", Error, "elements are closed in the order in which they were opened"},
	{"leftover", Error, "every marker for a fragment was filled"},
	{"unclaimed", Error,
		"a caption, a sentence that states a result, and the lede and the description of a page that was made are " +
			"texts of published claims"},
	{"accident", Error, "text has no trace of a value that a program printed by mistake"},

	// Other files.
	{"svg", Error, "an .svg file is well-formed and has an svg element at its root"},
	{"xml", Error, "an .xml file is well-formed"},
	{"json", Error, "a .json file is valid JSON, a .jsonl file on each line"},
	{"data-script", Error, "a script of data calls one function of its page with valid JSON, " +
		"in which < and the line ends of JavaScript are escaped"},
	{"csv", Error, "a .csv file parses and its rows are equally long"},
	{"gzip", Error, "a .gz file unpacks"},
	{"css-import", Error, "a style sheet does not import another, which would load it late"},

	// Budgets.
	{"budget-html", Error, "a card's page stays within its budget, gzipped and without raw records"},
	{"budget-css", Error, "the style sheets of a page stay within their budget"},
	{"budget-script", Error, "the scripts of a page stay within their budget"},
	{"budget-nodes", Error, "a page has fewer elements than the budget"},
	{"budget-loaded", Error, "nothing that a page loads is larger than the budget, nor is a page"},
	{"near-budget", Note, "a budget is used to less than four fifths"},
}

var severities = func() map[string]Severity {
	m := make(map[string]Severity, len(Rules))
	for _, r := range Rules {
		m[r.Code] = r.Severity
	}
	return m
}()

// finding makes a finding of a rule. A code that is not in the table of rules is a mistake in
// this package: it must not become a finding that nobody can look up.
func finding(file string, line int, code, format string, args ...any) Finding {
	severity, ok := severities[code]
	if !ok {
		panic("check: there is no rule " + code)
	}
	return Finding{File: file, Line: line, Code: code, Severity: severity, Message: fmt.Sprintf(format, args...)}
}
