// Command argo compares and syncs manifests with a cluster by the engine of Argo CD: what its application controller does for an
// application that is synced automatically and heals itself, without its Git, its Redis and its page. The suite in ../growth runs it.
//
// Each line of standard input is a request in JSON and is answered with one line on standard output. Its end ends the program.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"

	"github.com/argoproj/argo-cd/gitops-engine/pkg/cache"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/diff"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/engine"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/sync"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/tools/clientcmd"
)

// tracking is how Argo CD knows what belongs to an application.
const tracking = "app.kubernetes.io/instance"

type request struct {
	// Namespace is the application's destination, and its name.
	Namespace string `json:"namespace"`
	// Manifests are what Git has.
	Manifests []*unstructured.Unstructured `json:"manifests"`
	// ServerSide is the sync option ServerSideApply=true.
	ServerSide bool `json:"serverSide"`
	// Sync: whether what is out of sync is synced, as with selfHeal.
	Sync bool `json:"sync"`
}

type answer struct {
	// OutOfSync is how it was before anything was synced.
	OutOfSync bool     `json:"outOfSync"`
	Results   []string `json:"results"`
	Failed    bool     `json:"failed"`
	Error     string   `json:"error"`
}

func main() {
	kubeconfig := flag.String("kubeconfig", "", "the cluster")
	flag.Parse()
	if err := serve(*kubeconfig); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve(kubeconfig string) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	config.QPS, config.Burst = 50, 100
	live := cache.NewClusterCache(config, cache.SetPopulateResourceInfoHandler(
		func(object *unstructured.Unstructured, _ bool) (any, bool) {
			instance := object.GetLabels()[tracking]
			return instance, instance != ""
		}))
	argo := engine.NewEngine(config, live)
	stop, err := argo.Run()
	if err != nil {
		return err
	}
	defer stop()

	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	out := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var asked request
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			return err
		}
		if err := out.Encode(reconcile(context.Background(), argo, live, asked)); err != nil {
			return err
		}
	}
	return lines.Err()
}

func reconcile(ctx context.Context, argo engine.GitOpsEngine, live cache.ClusterCache, asked request) (told answer) {
	told.Results = []string{}
	isManaged := func(r *cache.Resource) bool { return r.Info == asked.Namespace }
	for _, manifest := range asked.Manifests {
		labels := manifest.GetLabels()
		if labels == nil {
			labels = map[string]string{}
		}
		labels[tracking] = asked.Namespace
		manifest.SetLabels(labels)
	}
	managed, err := live.GetManagedLiveObjs(asked.Manifests, isManaged)
	if err != nil {
		told.Error = err.Error()
		return told
	}
	pairs := sync.Reconcile(asked.Manifests, managed, asked.Namespace, live)
	differences, err := diff.DiffArray(pairs.Target, pairs.Live)
	if err != nil {
		told.Error = err.Error()
		return told
	}
	told.OutOfSync = differences.Modified
	if !asked.Sync || !told.OutOfSync {
		return told
	}
	results, err := argo.Sync(ctx, asked.Manifests, isManaged, "main", asked.Namespace,
		sync.WithPrune(true), sync.WithServerSideApply(asked.ServerSide), sync.WithServerSideApplyManager("argocd-controller"))
	if err != nil {
		told.Error = err.Error()
	}
	for _, result := range results {
		told.Results = append(told.Results, fmt.Sprintf("%s/%s: %s", result.ResourceKey.Kind, result.ResourceKey.Name, result.Message))
		told.Failed = told.Failed || result.Status == "SyncFailed" || result.HookPhase == "Failed" || result.HookPhase == "Error"
	}
	return told
}
