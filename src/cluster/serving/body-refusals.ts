/** What is wrong with the body of a request, in words. */
import { badRequest, StatusError, tooLarge } from "../api/status-error.ts";

export function overLimit(limit: number): StatusError {
  return tooLarge(`limit is ${limit}`);
}

export function brokenOff(): StatusError {
  return badRequest("the request ended before its body did");
}

export function noGzip(): StatusError {
  return badRequest("the body of the request is no gzip");
}

export function unknownEncoding(encoding: string): StatusError {
  return new StatusError(
    415,
    "UnsupportedMediaType",
    `the body of the request was in an unknown encoding ${JSON.stringify(encoding)} - accepted encodings include: gzip, identity`,
  );
}
