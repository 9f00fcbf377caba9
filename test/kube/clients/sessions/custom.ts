/** Custom resources at the terminal: applied both ways, edited, watched, and their definitions changed under way. */
import type { Session } from "../session.ts";
import { configMap, definition, widget } from "./manifests.ts";

const GROUP = "custom.example.com";
const shown = "-o yaml --show-managed-fields";
const grown = { ...widget(GROUP, "one", 5), metadata: { name: "one", labels: { a: "b" } } };
const parts = { ...widget(GROUP, "one", 5), spec: { size: 5, parts: [{ name: "x" }, { name: "y" }] } };

export const custom: readonly Session[] = [
  {
    name: "custom",
    files: {
      "definition.yaml": definition(GROUP),
      "one.yaml": widget(GROUP, "one", 3),
      "grown.yaml": grown,
      "parts.yaml": parts,
      "unknown.yaml": { ...widget(GROUP, "unknown"), spec: { size: 1, nothing: true } },
      "mistyped.yaml": { ...widget(GROUP, "mistyped"), spec: { size: "three", color: "red" } },
      "missing.yaml": { ...widget(GROUP, "missing"), spec: {} },
      "editor.sh": '#!/bin/sh\nsed -i -e "$EDIT" "$1"\n',
    },
    steps: [
      "apply -f one.yaml",
      "apply -f definition.yaml",
      "wait --for=condition=established --timeout=30s crd/widgets.custom.example.com",
      { served: definition(GROUP) },
      "apply -f one.yaml",
      "apply -f one.yaml",
      "diff -f grown.yaml",
      "apply -f grown.yaml",
      `get widget one ${shown}`,
      "apply --server-side -f parts.yaml",
      "apply --server-side -f parts.yaml --force-conflicts",
      `get widget one ${shown}`,
      "apply -f unknown.yaml",
      "apply -f unknown.yaml --validate=false",
      "get widget unknown -o jsonpath={.spec}",
      "create -f mistyped.yaml",
      "create -f missing.yaml",
      "create -f missing.yaml --dry-run=client",
      { run: "edit widget one", env: { EDITOR: "./editor.sh", EDIT: "s/color: green/color: blue/" } },
      "label widget one x=y",
      "get widgets -l x=y -o name",
      "get widgets --field-selector=metadata.name=one -o name",
      "get widgets --field-selector=spec.size=5",
      {
        watch: "get widgets -w",
        meanwhile: ["scale widget one --replicas=7", "delete widget unknown"],
        until: /one +7(.*\n)*unknown/,
      },
      "scale widget one --replicas=0",
      'patch widget one --subresource=status --type=merge -p \'{"spec":{"size":9},"status":{"ready":2}}\'',
      "get widget one -o jsonpath={.spec.size}/{.status.ready}",
      "wait --for=jsonpath={.status.ready}=2 widget/one",
      'patch widget one --type=merge -p \'{"metadata":{"finalizers":["example.com/keep"]}}\'',
      "delete widget one --wait=false",
      "get widget one -o jsonpath={.metadata.finalizers}",
      'patch widget one --type=json -p \'[{"op":"remove","path":"/metadata/finalizers"}]\'',
      "get widgets",
      'patch crd widgets.custom.example.com --type=json -p \'[{"op":"replace","path":"/spec/scope","value":"Cluster"}]\'',
      'patch crd widgets.custom.example.com --type=json -p \'[{"op":"replace","path":"/spec/names/kind","value":"Gadget"}]\'',
      'patch crd widgets.custom.example.com --type=json -p \'[{"op":"add","path":"/spec/names/shortNames","value":["wdg"]}]\'',
      "delete crd widgets.custom.example.com",
      "get widgets",
    ],
  },
  {
    name: "kustomize",
    files: {
      "kustomization.yaml": {
        resources: ["settings.yaml"],
        namePrefix: "pre-",
        labels: [{ pairs: { from: "kustomize" } }],
        configMapGenerator: [{ name: "made", literals: ["a=1"] }],
      },
      "settings.yaml": configMap("settings", { a: "1" }),
    },
    steps: [
      "kustomize .",
      "apply -k .",
      "get cm -l from=kustomize -o name",
      "diff -k .",
      "get -k . -o name",
      "apply -k . --server-side",
      "delete -k .",
      "get cm -l from=kustomize",
    ],
  },
];
