// Command informer watches an API server the way that controllers written in Go do, with client-go's own informers, and tells
// what they hold and what they were told. The suite in ../clients runs it.
//
// One line of standard input, `dump`, is answered with one line of JSON on standard output. Its end ends the program. Streaming
// lists are client-go's default; KUBE_FEATURE_WatchListClient=false in the environment turns them off.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// told is what one informer told its handler since the start.
type told struct {
	Adds    int `json:"adds"`
	Updates int `json:"updates"`
	Deletes int `json:"deletes"`
	// Wrong counts what must never happen: a version older than the one before, an addition of what is there.
	Wrong int `json:"wrong"`
}

// watched is an informer and what came of it.
type watched struct {
	informer cache.SharedIndexInformer
	mutex    sync.Mutex
	told     told
	versions map[string]uint64
}

// dump is the answer: by informer, what it holds as version by name, and what it told.
type dump struct {
	Cache   map[string]map[string]string `json:"cache"`
	Told    map[string]told              `json:"told"`
	Leading bool                         `json:"leading"`
	Terms   int64                        `json:"terms"`
}

// onlyProtobuf is whether typed clients take nothing else: a server may then not answer in JSON.
var onlyProtobuf bool

func main() {
	kubeconfig := flag.String("kubeconfig", "", "file")
	namespace := flag.String("namespace", "default", "what to watch")
	seconds := flag.Int64("watch-seconds", 0, "how long each watch lasts; client-go's own choice, minutes, when 0")
	custom := flag.String("custom", "", "a custom resource to watch as well, as plural.version.group")
	only := flag.Bool("only-protobuf", false, "whether typed clients take nothing but protobuf")
	flag.Parse()
	onlyProtobuf = *only
	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	must(err)
	config.QPS, config.Burst = 200, 400

	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	all := startInformers(ctx, config, *namespace, *seconds, *custom)
	var leading atomic.Bool
	var terms atomic.Int64
	go lead(ctx, config, *namespace, &leading, &terms)

	commands := bufio.NewScanner(os.Stdin)
	for commands.Scan() {
		answer := dump{Cache: map[string]map[string]string{}, Told: map[string]told{}, Leading: leading.Load(), Terms: terms.Load()}
		for name, each := range all {
			answer.Cache[name], answer.Told[name] = each.contents(), each.toldSoFar()
		}
		line, err := json.Marshal(answer)
		must(err)
		fmt.Println(string(line))
	}
}

func startInformers(ctx context.Context, config *rest.Config, namespace string, seconds int64, custom string) map[string]*watched {
	tweak := func(options *metav1.ListOptions) {
		if seconds > 0 {
			options.TimeoutSeconds = &seconds
		}
	}
	typed := informers.NewSharedInformerFactoryWithOptions(kubernetes.NewForConfigOrDie(typedConfig(config)), 0,
		informers.WithNamespace(namespace), informers.WithTweakListOptions(tweak))
	loose := dynamicinformer.NewFilteredDynamicSharedInformerFactory(dynamic.NewForConfigOrDie(config), 0, namespace, tweak)
	partial := metadatainformer.NewFilteredSharedInformerFactory(metadata.NewForConfigOrDie(config), 0, namespace, tweak)

	all := map[string]*watched{
		"typed":    {informer: typed.Core().V1().ConfigMaps().Informer()},
		"dynamic":  {informer: loose.ForResource(schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}).Informer()},
		"metadata": {informer: partial.ForResource(schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}).Informer()},
		"claims":   {informer: typed.Core().V1().PersistentVolumeClaims().Informer()},
	}
	if resource, _ := schema.ParseResourceArg(custom); resource != nil {
		all["custom"] = &watched{informer: loose.ForResource(*resource).Informer()}
	}
	for _, each := range all {
		each.begin()
	}
	typed.Start(ctx.Done())
	loose.Start(ctx.Done())
	partial.Start(ctx.Done())
	return all
}

// typedConfig speaks protobuf, as the controllers of Kubernetes do.
func typedConfig(config *rest.Config) *rest.Config {
	typed := rest.CopyConfig(config)
	typed.ContentType = "application/vnd.kubernetes.protobuf"
	typed.AcceptContentTypes = "application/vnd.kubernetes.protobuf,application/json"
	if onlyProtobuf {
		typed.AcceptContentTypes = "application/vnd.kubernetes.protobuf"
	}
	return typed
}

func (w *watched) begin() {
	w.versions = map[string]uint64{}
	_, err := w.informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(object any) {
			w.note(object, func(known bool, newer bool) { w.told.Adds++; w.wrongIf(known) })
		},
		UpdateFunc: func(_, object any) {
			w.note(object, func(known bool, newer bool) { w.told.Updates++; w.wrongIf(!known || !newer) })
		},
		DeleteFunc: func(object any) {
			if gone, is := object.(cache.DeletedFinalStateUnknown); is {
				object = gone.Obj
			}
			w.mutex.Lock()
			defer w.mutex.Unlock()
			w.told.Deletes++
			delete(w.versions, nameOf(object))
		},
	})
	must(err)
}

func (w *watched) note(object any, count func(known bool, newer bool)) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	version, err := strconv.ParseUint(access(object).GetResourceVersion(), 10, 64)
	must(err)
	before, known := w.versions[nameOf(object)]
	count(known, version >= before)
	w.versions[nameOf(object)] = version
}

func (w *watched) wrongIf(wrong bool) {
	if wrong {
		w.told.Wrong++
	}
}

func (w *watched) contents() map[string]string {
	found := map[string]string{}
	for _, object := range w.informer.GetStore().List() {
		found[nameOf(object)] = access(object).GetResourceVersion()
	}
	return found
}

func (w *watched) toldSoFar() told {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.told
}

// lead takes part in the election of a leader, again and again: losing a term is no end.
func lead(ctx context.Context, config *rest.Config, namespace string, leading *atomic.Bool, terms *atomic.Int64) {
	client := kubernetes.NewForConfigOrDie(typedConfig(config))
	name, err := os.Hostname()
	must(err)
	identity := fmt.Sprintf("%s-%d", name, os.Getpid())
	lock, err := resourcelock.New(resourcelock.LeasesResourceLock, namespace, "informer",
		client.CoreV1(), client.CoordinationV1(), resourcelock.ResourceLockConfig{Identity: identity})
	must(err)
	for ctx.Err() == nil {
		leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
			Lock:          lock,
			LeaseDuration: 15 * time.Second,
			RenewDeadline: 10 * time.Second,
			RetryPeriod:   time.Second,
			Callbacks: leaderelection.LeaderCallbacks{
				OnStartedLeading: func(context.Context) { terms.Add(1); leading.Store(true) },
				OnStoppedLeading: func() { leading.Store(false) },
			},
		})
	}
}

func access(object any) metav1.Object {
	found, err := meta.Accessor(object)
	must(err)
	return found
}

func nameOf(object any) string {
	return access(object).GetName()
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
