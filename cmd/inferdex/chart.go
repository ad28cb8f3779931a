package main

import (
	"bytes"
	"fmt"
	"path"
	"strings"

	"github.com/spf13/cobra"

	"github.com/inferdex/inferdex/site/chart"
	"github.com/inferdex/inferdex/site/view"
)

func (a *app) chartCommand() *cobra.Command {
	var metric, format, theme, output string
	var list bool
	cmd := &cobra.Command{
		Use:   "chart RUN|CARD",
		Short: "Draw one chart of a run or a card as SVG or PNG",
		Long: `Draw one chart as it stands on the page of a run or a card. RUN is a run's id or the
beginning of one; CARD the name of a card as in its address.

--metric names a chart of the page (--list shows them) or a metric that was measured at several
loads, such as ttft; without it the page's first chart is drawn. An SVG follows the theme of its
reader; a PNG has one.

Without --output the chart goes to standard output. A file of that name is replaced when the new one
is complete; one that is called .png is a PNG.`,
		Example: `  inferdex chart mistral-small-24b-instruct-2501-on-mi300x > chart.svg
  inferdex chart jaxpmmiy6jlr --metric ttft --theme dark -o ttft.png
  inferdex chart jaxpmmiy6jlr --list`,
		Args: oneSubject("draw a chart of what?"),
		RunE: func(cmd *cobra.Command, args []string) error {
			ext := strings.ToLower(path.Ext(output))
			if format == "" && ext == ".png" {
				format = "png"
			}
			switch {
			case format == "" && ext != "" && ext != ".svg":
				return usage("--output %q: a chart is .svg or .png; call it so, or say which with --format", output)
			case format != "" && format != "svg" && format != "png":
				return usage("--format %q: give svg or png", format)
			case theme != "light" && theme != "dark":
				return usage("--theme %q: give light or dark", theme)
			}
			if err := a.apartFrom("a chart", output); err != nil {
				return err
			}
			ix, c, err := a.load()
			if err != nil {
				return err
			}
			conf, err := a.config()
			if err != nil {
				return err
			}
			drawn, names, err := view.ChartOf(ix, c, view.Options{Config: conf}, args[0], metric)
			if list && names != nil {
				for _, n := range names {
					if a.json {
						a.object(a.stdout, map[string]string{"kind": "chart", "name": n})
						continue
					}
					fmt.Fprintln(a.stdout, n)
				}
				return nil
			}
			if err != nil {
				return usage("%w", err)
			}
			o := chart.Options{Size: chart.Wide, SelfContained: true, Titled: true, Dark: theme == "dark", Density: 2}
			var b bytes.Buffer
			if format == "png" {
				err = drawn.PNG(&b, o)
			} else {
				err = drawn.SVG(&b, o)
			}
			if err != nil {
				return failed(err)
			}
			return a.put(cmd.Context(), output, b.Bytes())
		},
	}
	cmd.Flags().StringVar(&metric, "metric", "", "`NAME` of a chart or a metric (default the page's first chart)")
	cmd.Flags().StringVar(&format, "format", "", "svg or png (default by the name of the file, else svg)")
	cmd.Flags().StringVar(&theme, "theme", "light", "light or dark, of a PNG")
	cmd.Flags().BoolVar(&list, "list", false, "list the charts of the page instead")
	fileFlag(cmd, &output)
	cmd.MarkFlagsMutuallyExclusive("list", "output")
	return cmd
}

// oneSubject asks for a run or a card where there is not one argument.
func oneSubject(question string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) != 1 {
			return usage("%s give a run's id or a card's name", question)
		}
		return nil
	}
}
