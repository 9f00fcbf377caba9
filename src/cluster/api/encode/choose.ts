/** Which writer a request gets. */
import { type AnswerChoice, chooseAnswer } from "../http/media-type.ts";
import { JSON_WRITER, PRETTY_WRITER, PROTOBUF_WRITER, type Writer, YAML_WRITER } from "./writer.ts";

/** Browsers, and the two tools that people look at an API with. */
const FOR_PEOPLE = /^(?:curl|Wget|Mozilla\/5\.0)/;
const YES: readonly string[] = ["1", "t", "T", "true", "TRUE", "True"];

/** JSON is written for people where the query or the header says so, or else where it is people who use such a client. */
export function writerFor(
  { encoding, pretty }: Pick<AnswerChoice, "encoding" | "pretty">,
  query: URLSearchParams,
  userAgent: string,
): Writer {
  switch (encoding) {
    case "yaml":
      return YAML_WRITER;
    case "protobuf":
      return PROTOBUF_WRITER;
    case "json":
      return pretty || isForPeople(query, userAgent) ? PRETTY_WRITER : JSON_WRITER;
  }
}

function isForPeople(query: URLSearchParams, userAgent: string): boolean {
  const asked = query.get("pretty") ?? "";
  return asked === "" ? FOR_PEOPLE.test(userAgent) : YES.includes(asked);
}

/** For a refusal, which is told in any case: to who takes nothing but tables, or metadata, as JSON for people. */
export function writerForRefusal(accept: string | undefined, query: URLSearchParams, userAgent: string): Writer {
  const choice = chooseAnswer(accept, [], true);
  return choice === undefined ? PRETTY_WRITER : writerFor(choice, query, userAgent);
}
