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
  /** Rows and columns for people (meta.k8s.io/v1 Table). */
  | "table"
  /** Objects without anything but their metadata. */
  | "metadata"
  /** All groups in one document (apidiscovery.k8s.io/v2). */
  | "aggregated-discovery";

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
 * The first form of the header that this server has; undefined when there is none (406). Only JSON is given: clients that
 * ask for protobuf or CBOR first take JSON too, and read the answer by its own content type.
 */
export function chooseAnswer(accept: string | undefined, offered: readonly AnswerForm[]): AnswerForm | undefined {
  if (accept === undefined || accept.trim() === "") return "object";
  for (const { type, params } of parseMediaTypes(accept)) {
    if (type !== "application/json" && type !== "application/*" && type !== "*/*") continue;
    const form = formOf(params);
    if (form !== undefined && (form === "object" || offered.includes(form))) return form;
  }
  return undefined;
}

function formOf(params: ReadonlyMap<string, string>): AnswerForm | undefined {
  const as = params.get("as");
  if (as === undefined) return "object";
  const [group, version] = [params.get("g"), params.get("v")];
  if (as === "Table" && group === "meta.k8s.io" && version === "v1") return "table";
  if (
    (as === "PartialObjectMetadata" || as === "PartialObjectMetadataList") &&
    group === "meta.k8s.io" &&
    version === "v1"
  ) {
    return "metadata";
  }
  if (as === "APIGroupDiscoveryList" && group === "apidiscovery.k8s.io" && version === "v2")
    return "aggregated-discovery";
  return undefined;
}
