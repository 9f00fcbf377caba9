/** How versions become each other: by writing another `apiVersion` (None), or by asking a webhook, which nobody does here. */
import { type FieldError, forbidden, invalid, required } from "../../../../admission/verdict.ts";
import { checkOneOf } from "../../validation/checks.ts";
import { repeated } from "../../validation/repeated.ts";
import { checkClientConfig } from "../../webhooks/validate-client.ts";
import type { Conversion } from "./definition.ts";
import { dnsLabel1035 } from "./names.ts";

const PATH = "spec.conversion";
const REVIEW_VERSIONS = ["v1", "v1beta1"];

export function conversionErrors(conversion: Conversion | undefined): FieldError[] {
  if (conversion === undefined) return [];
  return [
    ...checkOneOf(conversion.strategy, ["None", "Webhook"], `${PATH}.strategy`),
    ...(conversion.strategy === "Webhook" ? webhookErrors(conversion) : unusedErrors(conversion)),
  ];
}

function webhookErrors({ webhook }: Conversion): FieldError[] {
  return [
    ...(webhook?.clientConfig === undefined
      ? [required(`${PATH}.webhookClientConfig`, "required when strategy is set to Webhook")]
      : checkClientConfig(webhook.clientConfig, `${PATH}.webhookClientConfig`)),
    ...reviewErrors(webhook?.conversionReviewVersions ?? [], `${PATH}.conversionReviewVersions`),
  ];
}

function reviewErrors(versions: readonly string[], path: string): FieldError[] {
  if (versions.length === 0) return [required(path)];
  const again = repeated(versions, (version) => version);
  return [
    ...versions.flatMap((version, index) =>
      again.has(index)
        ? [invalid(`${path}[${index}]`, version, "duplicate version")]
        : dnsLabel1035(version).map((message) => invalid(`${path}[${index}]`, version, message)),
    ),
    ...(versions.some((version) => REVIEW_VERSIONS.includes(version))
      ? []
      : [invalid(path, versions, `must include at least one of ${REVIEW_VERSIONS.join(", ")}`)]),
  ];
}

function unusedErrors({ webhook }: Conversion): FieldError[] {
  const message = "should not be set when strategy is not set to Webhook";
  return [
    ...(webhook?.clientConfig === undefined ? [] : [forbidden(`${PATH}.webhookClientConfig`, message)]),
    ...((webhook?.conversionReviewVersions ?? []).length === 0
      ? []
      : [forbidden(`${PATH}.conversionReviewVersions`, message)]),
  ];
}
