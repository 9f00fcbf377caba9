/** Content negotiation: which of the forms that a client would take is the one to give. */

export interface MediaType {
  /** `application/json` */
  readonly type: string;
  readonly params: ReadonlyMap<string, string>;
}

/** The forms of an answer, from an `Accept` header, in the order of preference. */
export type AnswerForm =
  /** Objects as they are. */
  | "object"
  /** Rows and columns for people (Table). */
  | "table"
  /** An object without anything but its metadata, or what a watch tells of such objects. */
  | "metadata"
  /** A list of these. */
  | "metadata-list"
  /** All groups in one document (apidiscovery.k8s.io/v2). */
  | "aggregated-discovery";

/** How an answer is written. */
export type Encoding = "json" | "yaml" | "protobuf";

export interface AnswerChoice {
  readonly form: AnswerForm;
  readonly encoding: Encoding;
  /** For people to read, as the header says (`pretty=1`). */
  readonly pretty: boolean;
  /** Tables, and metadata alone, were asked for in the version that they had at first. */
  readonly beta?: true;
}

const PROTOBUF = "application/vnd.kubernetes.protobuf";

const TEXTS: Readonly<Record<string, Encoding>> = {
  "application/json": "json",
  "application/yaml": "yaml",
  "application/*": "json",
  "*/*": "json",
};

const PLAIN: AnswerChoice = { form: "object", encoding: "json", pretty: false };

/** Reads a header; parts that make no sense are left out. The quality (`q`) orders them, and 0 excludes. */
export function parseMediaTypes(header: string): MediaType[] {
  return header
    .split(",")
    .map((part) => {
      const [type = "", ...rest] = part.split(";").map((piece) => piece.trim());
      const params = new Map(rest.map((piece) => readParam(piece)));
      return { type: type.toLowerCase(), params };
    })
    .filter(({ type, params }) => /^[^\s/]+\/[^\s/]+$/.test(type) && quality(params) > 0)
    .map((mediaType, index) => ({ mediaType, index }))
    .sort((a, b) => quality(b.mediaType.params) - quality(a.mediaType.params) || a.index - b.index)
    .map(({ mediaType }) => mediaType);
}

function readParam(piece: string): readonly [string, string] {
  const [name = "", ...value] = piece.split("=");
  return [
    name.trim().toLowerCase(),
    value
      .join("=")
      .trim()
      .replace(/^"(.*)"$/, "$1"),
  ];
}

function quality(params: ReadonlyMap<string, string>): number {
  const text = params.get("q");
  if (text === undefined) return 1;
  const value = Number(text);
  return Number.isFinite(value) ? value : 0;
}

/**
 * The first form of the header that this server has; undefined when there is none (406). Objects are stored as JSON, which leaves
 * as it is: protobuf, which has to be made of it, is for who takes nothing else. Clients that would rather have that, or CBOR, take JSON
 * too, and read an answer by its own content type. `protobuf`: whether there are messages of what is asked for.
 */
export function chooseAnswer(
  accept: string | undefined,
  offered: readonly AnswerForm[],
  protobuf = false,
): AnswerChoice | undefined {
  if (accept === undefined || accept === "application/json" || accept.trim() === "") return PLAIN;
  const types = parseMediaTypes(accept);
  for (const { type, params } of types) {
    const encoding = Object.hasOwn(TEXTS, type) ? TEXTS[type] : undefined;
    const form = formOf(params);
    if (encoding !== undefined && form !== undefined && (form === "object" || offered.includes(form))) {
      return { form, encoding, pretty: params.get("pretty") === "1", ...betaOf(form, params) };
    }
  }
  for (const { type, params } of types) {
    const form = formOf(params);
    // Of the version of old there are no messages.
    if (type !== PROTOBUF || form === undefined || betaOf(form, params).beta === true) continue;
    const isOffered = form === "object" ? protobuf : form !== "table" && offered.includes(form);
    if (isOffered) return { form, encoding: "protobuf", pretty: false };
  }
  return undefined;
}

/** Whether the header names any encoding that there is, whatever it says of the form. */
export function takesAny(accept: string): boolean {
  return parseMediaTypes(accept).some(({ type }) => type === PROTOBUF || Object.hasOwn(TEXTS, type));
}

const BETA = "v1beta1";
const META_FORMS: Readonly<Record<string, AnswerForm>> = {
  Table: "table",
  PartialObjectMetadata: "metadata",
  PartialObjectMetadataList: "metadata-list",
};

function betaOf(form: AnswerForm, params: ReadonlyMap<string, string>): { beta?: true } {
  return form !== "object" && params.get("v") === BETA ? { beta: true } : {};
}

function formOf(params: ReadonlyMap<string, string>): AnswerForm | undefined {
  const as = params.get("as");
  if (as === undefined) return "object";
  const [group, version] = [params.get("g"), params.get("v")];
  if (group === "meta.k8s.io" && (version === "v1" || version === BETA)) {
    return Object.hasOwn(META_FORMS, as) ? META_FORMS[as] : undefined;
  }
  if (as === "APIGroupDiscoveryList" && group === "apidiscovery.k8s.io" && version === "v2")
    return "aggregated-discovery";
  return undefined;
}
