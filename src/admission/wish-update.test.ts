import { expect, test } from "vitest";
import { WISH_ANNOTATION } from "../core/names.ts";
import type { StatefulSet } from "../core/types.ts";
import { aClass } from "./fixtures.ts";
import { storageClasses } from "./storage-classes.ts";
import { fieldErrorText } from "./verdict.ts";
import { validateWish } from "./wish-update.ts";

const classes = storageClasses([aClass("fast"), aClass("rigid", { allowVolumeExpansion: false })]);
const CLASSES = { data: "fast", log: "rigid", tmp: "" };

/** `data` of a class that grows, `log` of one that does not, `tmp` of none, 10Gi each. */
function aSet(wish?: string): StatefulSet {
  return {
    kind: "StatefulSet",
    metadata: {
      name: "db",
      namespace: "prod",
      ...(wish !== undefined && { annotations: { [WISH_ANNOTATION]: wish } }),
    },
    spec: {
      selector: {},
      template: {},
      volumeClaimTemplates: Object.entries(CLASSES).map(([name, storageClassName]) => ({
        metadata: { name },
        spec: { storageClassName, resources: { requests: { storage: "10Gi" } } },
      })),
    },
  };
}

const errors = (before: string | undefined, after: string | undefined) =>
  validateWish(aSet(before), aSet(after), classes).map(fieldErrorText);

test.each<[string, string | undefined, string | undefined]>([
  ["larger than the template", undefined, "data=20Gi"],
  ["smaller: the controller decides", undefined, "data=5Gi"],
  ["smaller, of a class that does not allow expansion", undefined, "log=5Gi"],
  ["withdrawn", "data=20Gi", undefined],
  ["for nothing", "data=20Gi", ""],
  ["unreadable, and stored before", "data", "data"],
  ["unreadable before, and mended", "data", "data=20Gi"],
  ["of a rigid class, and stored before", "log=20Gi", "log=20Gi,data=20Gi"],
])("a wish that is taken: %s", (_, before, after) => {
  expect(errors(before, after)).toEqual([]);
});

const WISH = "metadata.annotations[outgrow.dev/claims]: Invalid value:";
const SIZE = "spec.resources.requests.storage: Forbidden:";

test.each<[string, string, string]>([
  [
    "unreadable",
    "data=20GB",
    `${WISH} "data=20GB": "data=20GB": "20GB" is not a size; write TEMPLATE=SIZE, several separated by commas, for example data=200Gi,wal=20Gi`,
  ],
  [
    "for a template that is not there",
    "dta=20Gi",
    `${WISH} "dta=20Gi": StatefulSet prod/db has no claim template "dta"; it has data, log, tmp`,
  ],
  [
    "of a class that does not allow expansion",
    "log=20Gi",
    `spec.volumeClaimTemplates[1].${SIZE} storage class "rigid" of template "log" does not allow expansion; set allowVolumeExpansion: true on it`,
  ],
  [
    "of no class",
    "tmp=20Gi",
    `spec.volumeClaimTemplates[2].${SIZE} template "tmp" asks for volumes without a storage class; only claims of a class that allows expansion can grow`,
  ],
])("a wish that is refused: %s", (_, wish, expected) => {
  expect(errors("data=15Gi", wish)).toEqual([expected]);
});
