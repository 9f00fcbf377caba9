/**
 * The questions of an API server (admission.k8s.io/v1) and our answers. The rules are those of ../wish-capture.ts and
 * ../wish-update.ts; here they are only put into the words of the protocol. What is not ours is always let pass.
 */

import type { SizeChange } from "../../core/claim-templates.ts";
import { messageOf } from "../../core/errors.ts";
import { FIELD_MANAGER, RECREATE_MANAGER, WISH_ANNOTATION } from "../../core/names.ts";
import type { StatefulSet } from "../../core/types.ts";
import type { StorageClasses } from "../storage-classes.ts";
import { aggregate, type FieldError, fieldErrorText } from "../verdict.ts";
import { captureWish, wishTextOf } from "../wish-capture.ts";
import { validateWish } from "../wish-update.ts";

export interface AdmissionRequest {
  readonly uid: string;
  readonly operation: string;
  readonly kind: { readonly group?: string; readonly kind?: string };
  readonly namespace?: string;
  readonly subResource?: string;
  readonly object?: unknown;
  readonly oldObject?: unknown;
  readonly options?: { readonly fieldManager?: string } | null;
}

export interface AdmissionResponse {
  readonly uid: string;
  readonly allowed: boolean;
  readonly status?: { readonly code: number; readonly reason: string; readonly message: string };
  readonly patchType?: "JSONPatch";
  /** Base64. */
  readonly patch?: string;
  readonly warnings?: readonly string[];
}

/** What became of a request: `passed` (not ours), `taken`, `refused`, or `failed` (our own fault, and let pass). */
export type Outcome = "passed" | "taken" | "refused" | "failed";

export interface Answer {
  readonly response: AdmissionResponse;
  readonly outcome: Outcome;
  /** What went wrong, where the outcome is `failed`. */
  readonly problem?: string;
}

/** What our controller itself does to a set passes, or fails, as if nobody had been asked. */
const OUR_MANAGERS: ReadonlySet<string | undefined> = new Set([FIELD_MANAGER, RECREATE_MANAGER]);

/** The classes of the cluster; undefined while they are not known, and then nothing is refused for them. */
export type KnownClasses = StorageClasses | undefined;

/** A size edited in a template becomes a wish, or is refused with the way out. */
export function mutate(request: AdmissionRequest, classes: KnownClasses): Answer {
  return answer(request, (stored, sent) => {
    const capture = captureWish(stored, sent);
    if (capture.kind === "none") return allowed(request, "passed");
    if (capture.kind === "refused") return refused(request, capture.errors);
    const errors = validateWish(stored, capture.set, classes ?? ANY_CLASS);
    if (errors.length > 0) return refused(request, errors);
    return allowed(request, "taken", {
      patchType: "JSONPatch",
      patch: Buffer.from(JSON.stringify(patchOf(sent, capture.set))).toString("base64"),
      warnings: capture.news.map((change) => warning(sent, change)),
    });
  });
}

/** A wish, whoever wrote it, is taken or refused. */
export function validate(request: AdmissionRequest, classes: KnownClasses): Answer {
  return answer(request, (stored, sent) => {
    const errors = validateWish(stored, sent, classes ?? ANY_CLASS);
    return errors.length > 0 ? refused(request, errors) : allowed(request, "passed");
  });
}

/** Says what is wrong with an update of a custom resource; none when it may be stored. */
export type ResourceRule = (request: AdmissionRequest, classes: StorageClasses) => Promise<readonly FieldError[]>;

/** An update of a custom resource, judged by whoever knows its kind. */
export async function validateResource(
  request: AdmissionRequest,
  classes: KnownClasses,
  rule: ResourceRule,
): Promise<Answer> {
  const { operation, subResource = "" } = request;
  if (operation !== "UPDATE" || subResource !== "") return allowed(request, "passed");
  try {
    const errors = await rule(request, classes ?? ANY_CLASS);
    return errors.length > 0 ? refused(request, errors) : allowed(request, "passed");
  } catch (error) {
    return { ...allowed(request, "failed"), problem: messageOf(error) };
  }
}

/** As long as the classes are not known each of them might allow it; the controller asks again. */
const ANY_CLASS: StorageClasses = {
  named: (name) => ({ metadata: { name }, provisioner: "", allowVolumeExpansion: true }),
  defaultClass: { metadata: { name: "default" }, provisioner: "", allowVolumeExpansion: true },
};

/** Never in the way: whatever goes wrong in a rule, the request goes on as if nobody had been asked. */
function answer(request: AdmissionRequest, decide: (stored: StatefulSet, sent: StatefulSet) => Answer): Answer {
  const { operation, kind, subResource = "", object, oldObject, options } = request;
  const isUpdate = operation === "UPDATE" && kind.group === "apps" && kind.kind === "StatefulSet" && subResource === "";
  if (!isUpdate || OUR_MANAGERS.has(options?.fieldManager)) return allowed(request, "passed");
  try {
    return decide(oldObject as StatefulSet, object as StatefulSet);
  } catch (error) {
    return { ...allowed(request, "failed"), problem: messageOf(error) };
  }
}

function allowed({ uid }: AdmissionRequest, outcome: Outcome, more: Partial<AdmissionResponse> = {}): Answer {
  return { response: { uid, allowed: true, ...more }, outcome };
}

function refused({ uid }: AdmissionRequest, errors: readonly FieldError[]): Answer {
  const status = { code: 403, reason: "Forbidden", message: aggregate(errors.map(fieldErrorText)) };
  return { response: { uid, allowed: false, status }, outcome: "refused" };
}

/** A request is answered with 200 although the template stays as it is, so it says what happens instead. */
function warning({ metadata }: StatefulSet, { template, from, to }: SizeChange): string {
  const what = to.lessThan(from) ? "goes back" : "grows";
  return `sts/${metadata.name}: ${template} ${what} to ${to.toString()} by outgrow; the template follows`;
}

/** What turns the set that was sent into the one to be stored: templates and annotation. */
function patchOf(sent: StatefulSet, taken: StatefulSet): readonly object[] {
  const annotation = `/metadata/annotations/${WISH_ANNOTATION.replace("~", "~0").replace("/", "~1")}`;
  const wish = wishTextOf(taken);
  return [
    { op: "replace", path: "/spec/volumeClaimTemplates", value: taken.spec.volumeClaimTemplates },
    ...(sent.metadata.annotations === undefined ? [{ op: "add", path: "/metadata/annotations", value: {} }] : []),
    ...(wish === wishTextOf(sent) ? [] : [{ op: "add", path: annotation, value: wish }]),
  ];
}
