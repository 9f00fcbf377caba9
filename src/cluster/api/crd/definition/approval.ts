/** Groups that belong to the Kubernetes community need its approval. */
import { type FieldError, invalid, required } from "../../../../admission/verdict.ts";
import type { Definition } from "./definition.ts";

const ANNOTATION = "api-approved.kubernetes.io";
const PATH = `metadata.annotations[${ANNOTATION}]`;
const SEE = "see https://github.com/kubernetes/enhancements/pull/1111";

type Approval = "missing" | "given" | "bypassed" | "invalid";

/** An approval that stays as it was is not asked about again. */
export function approvalErrors(definition: Definition, old: Definition | undefined): FieldError[] {
  if (!/(?:^|\.)(?:k8s|kubernetes)\.io$/.test(definition.spec.group)) return [];
  const approval = approvalOf(definition);
  if (old !== undefined && approvalOf(old) === approval) return [];
  const must = `protected groups must have approval annotation ${JSON.stringify(ANNOTATION)}`;
  if (approval === "missing") return [required(PATH, `${must}, ${SEE}`)];
  if (approval !== "invalid") return [];
  const text = definition.metadata.annotations?.[ANNOTATION] ?? "";
  return [invalid(PATH, text, `${must} with either a URL or a reason starting with "unapproved", ${SEE}`)];
}

function approvalOf({ metadata }: Definition): Approval {
  const text = metadata.annotations?.[ANNOTATION] ?? "";
  if (text === "") return "missing";
  if (text.startsWith("unapproved")) return "bypassed";
  return URL.canParse(text) && new URL(text).host !== "" ? "given" : "invalid";
}
