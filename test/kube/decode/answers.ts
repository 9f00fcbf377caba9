/** What becomes of a body: at a real server, and with us. */
import { Agent, request } from "undici";
import { decodeBody, type FieldValidation } from "../../../src/cluster/api/decode/index.ts";
import { prepareForCreate } from "../../../src/cluster/api/defaults/creation.ts";
import { withDefaults } from "../../../src/cluster/api/defaults/defaults.ts";
import type { JsonObject } from "../../../src/cluster/api/json.ts";
import { canonicalObject } from "../../../src/cluster/api/protobuf/canonical.ts";
import { StatusError } from "../../../src/cluster/api/status-error.ts";
import type { Sent } from "./bodies.ts";

export type Answer =
  | { readonly kind: "refused"; readonly code: number; readonly reason: string; readonly message: string }
  | {
      readonly kind: "read";
      readonly warnings: readonly string[];
      /** Not known where the object was refused later, for what it says. */
      readonly object?: JsonObject;
    };

export interface RealServer {
  /** Tries to create what the body says. */
  send(sent: Sent, validation: FieldValidation): Promise<Answer>;
  close(): Promise<void>;
}

export function openRealServer({ url, ca, token }: { url: string; ca: string; token: string }): RealServer {
  const agent = new Agent({ connect: { ca }, connections: 2 });
  return {
    async send({ target, body, contentType = "application/json" }, validation) {
      const address = `${url}${target.path}?dryRun=All&fieldValidation=${validation}`;
      const headers = { authorization: `Bearer ${token}`, accept: "application/json", "content-type": contentType };
      const answer = await request(address, { method: "POST", dispatcher: agent, headers, body });
      const object = (await answer.body.json()) as JsonObject & { message: string; reason: string };
      const { statusCode: code } = answer;
      // Refused for what it says, after it was read; only a wrong kind of a custom resource is known before.
      const readLater = [403, 404, 409, 422, 500].includes(code) && !object.message.includes(": kind: ");
      if (code >= 400 && !readLater) return refused(code, object.reason, object.message);
      const warnings = warningsOf(answer.headers["warning"]);
      return readLater ? { kind: "read", warnings } : { kind: "read", warnings, object: withoutOwn(object) };
    },
    close: () => agent.close(),
  };
}

/** What ours makes of it, up to what would be stored. */
export function ourAnswer({ target, body, contentType }: Sent, validation: FieldValidation): Answer {
  const { apiVersion, kind, custom = false } = target;
  try {
    const expected = { apiVersion, kind, type: "any", custom } as const;
    const { object, warnings } = decodeBody(Buffer.from(body), contentType, expected, validation);
    const complete = custom ? object : canonicalObject(prepareForCreate(withDefaults(object)));
    return { kind: "read", warnings, object: withoutOwn(complete) };
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return refused(error.code, error.reason, error.message);
  }
}

/** The same answer as far as it can be compared: nothing is known of an object that was refused later. */
export function comparable(answer: Answer, other: Answer): Answer {
  if (answer.kind !== "read" || other.kind !== "read" || other.object !== undefined) return answer;
  return { kind: "read", warnings: answer.warnings };
}

/** Which Go file knows the kinds is of no use to a client. */
function refused(code: number, reason: string, message: string): Answer {
  return { kind: "refused", code, reason, message: message.replace(/ in scheme "[^"]*"/, "") };
}

/** Those about reading; others come from elsewhere. */
function warningsOf(header: string | string[] | undefined): string[] {
  const texts = Buffer.from([header ?? []].flat().join(", "), "latin1").toString();
  return [...texts.matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)]
    .map(([, text = ""]) => text.replace(/\\(.)/g, "$1"))
    .filter((text) => /^(?:unknown|duplicate) field |^line \d+: key /.test(text));
}

/** Metadata that each creation sets anew, or that admission adds. */
const OWN = ["uid", "resourceVersion", "creationTimestamp", "generation", "managedFields", "namespace", "finalizers"];
const DELETION = ["deletionTimestamp", "deletionGracePeriodSeconds"];

function withoutOwn(object: JsonObject): JsonObject {
  const metadata = Object.entries((object["metadata"] ?? {}) as JsonObject);
  const kept = metadata.filter(([name]) => !OWN.includes(name) && !DELETION.includes(name));
  return { ...object, metadata: Object.fromEntries(kept) };
}
