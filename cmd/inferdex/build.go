package main

import "github.com/spf13/cobra"

func (a *app) buildCommand() *cobra.Command { return &cobra.Command{Use: "build"} }
func (a *app) serveCommand() *cobra.Command { return &cobra.Command{Use: "serve"} }
func (a *app) checkCommand() *cobra.Command { return &cobra.Command{Use: "check"} }
