//go:build tools

// Package helm names the program, so that `go mod tidy` keeps its modules.
package helm

import (
	_ "helm.sh/helm/v3/cmd/helm"
)
