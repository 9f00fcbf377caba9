/**
 * Every error that a person can meet, by its stable code. docs/errors.md explains each one; a test keeps the two equal.
 * A message says what happened, to what, and what the reader can do.
 */
export const ERROR_CODES = {
  QUANTITY_INVALID: "a size cannot be read as a Kubernetes quantity",
  GATE_UNKNOWN: "a feature gate is not known",
  GATE_MALFORMED: "the list of feature gates is not of the form NAME=true,NAME=false",
  VERSION_UNREADABLE: "the version that the API server reports cannot be read",
  USAGE: "the command line is not understood",
  INPUT_UNREADABLE: "a file or a document in it cannot be read",
  OBJECT_MALFORMED: "an object lacks a field or has a wrong value in it",
  OBJECT_MISSING: "an object that was named is not there",
  OBJECT_AMBIGUOUS: "a name fits more than one object",
  WISH_MALFORMED: "the annotation outgrow.dev/claims, or a size on the command line, cannot be read",
  WISH_TAKEN: "somebody else says which sizes a StatefulSet should have",
  PATH_MALFORMED: "a path into a custom resource cannot be read",
  CSI_ADDRESS_INVALID: "a CSI driver's address is not the path of a unix socket",
  CSI_ADDRESS_IN_USE: "another driver answers at the address where one should be started",
  VOLUME_UNREADABLE: "a volume does not say under which handle its driver knows it",
  ACCESS_MODES_UNSUPPORTED: "a volume has access modes that cannot be told to a CSI driver together",
  STORE_FOREIGN: "what lies where a store should be is something else",
  STORE_DAMAGED: "a store is not as it was written",
  STORE_TOO_NEW: "a store was written by a newer version",
  STORE_IN_USE: "a store is open already",
  STORE_UNUSABLE: "a store cannot be opened or made where it should be",
  FILE_UNUSABLE: "a file or folder that an embedded cluster keeps cannot be read or written",
  CREDENTIALS_DAMAGED: "a key, certificate or token of an embedded cluster is not as it was written",
  ADDRESS_UNUSABLE: "a server cannot listen at the address that it should have",
  TOOL_MISSING: "a program of the system that is needed is not installed",
  TOOL_FAILED: "a program of the system could not do what it was asked for",
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

/** The one error class of the rules and the command line. Boundaries have their own: see kube/ and csi/. */
export class OutgrowError extends Error {
  override readonly name = "OutgrowError";
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
