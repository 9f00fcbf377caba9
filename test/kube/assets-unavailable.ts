/** The programs of a control plane cannot be had. The message says what is missing and how to get it. */
export class AssetsUnavailable extends Error {
  override readonly name = "AssetsUnavailable";

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
  }
}
