/** The text is not YAML, or not such as becomes JSON. The message is go-yaml's, as far as ours can tell the same. */
export class YamlError extends Error {
  override readonly name = "YamlError";

  /** `from`: who complains, of Go's. */
  constructor(message: string, from: "yaml" | "json" = "yaml") {
    super(`${from}: ${message}`);
  }
}
