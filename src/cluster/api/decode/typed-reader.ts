/**
 * JSON text into a value of a Go type, as Go's decoder does it (sigs.k8s.io/json, which Kubernetes uses): names match
 * exactly, null is as good as nothing, a field that comes twice is read into what came before. One pass over the text
 * reads it, checks it, and drops what the type does not know.
 */
import { type Json, put } from "../json.ts";
import { base64Problem } from "./base64-text.ts";
import type { CollectionType, GoType, OwnType, SchemaOrType, StructType } from "./go-types.ts";
import { JsonScanner, type ValueKind } from "./json-scanner.ts";
import { anyNumber, wholeNumber } from "./numbers.ts";
import { quantityProblem } from "./quantity-text.ts";
import { Report } from "./report.ts";
import { microTimeProblem, timeProblem } from "./time-text.ts";
import { copyOf, type Values, zeroOf } from "./values.ts";

export interface Reading {
  /** Undefined for null, where that is as good as nothing. */
  readonly value: Json | undefined;
  /** `unknown field "spec.foo"`, `duplicate field "spec.x"`, in the order of the text; none when not asked for. */
  readonly findings: readonly string[];
}

/**
 * Reads the whole text. `strict`: also tells unknown and duplicate fields, `at`: whose paths begin with this. Throws
 * `JsonSyntaxError` where the text is not JSON, and else `MisfitError` for the first value that does not fit.
 */
export function readTyped(text: string, type: GoType, strict: boolean, at: readonly string[] = []): Reading {
  const scanner = new JsonScanner(text);
  const report = new Report(strict, at);
  const value = new TypedReader(scanner, report).value(type, undefined);
  scanner.end();
  report.settle();
  return { value, findings: report.findings };
}

class TypedReader {
  readonly #scanner: JsonScanner;
  readonly #report: Report;

  constructor(scanner: JsonScanner, report: Report) {
    this.#scanner = scanner;
    this.#report = report;
  }

  /** Undefined for null, and for what does not fit. `before`: what the field had when it came the first time. */
  value(type: GoType, before: Json | undefined): Json | undefined {
    const kind = this.#scanner.next();
    if (type.kind === "any") return this.#any(kind);
    if (kind === "null") {
      this.#scanner.null();
      return undefined;
    }
    switch (type.kind) {
      case "struct":
        if (kind === "object") return this.#structure(type, before);
        break;
      case "map":
        if (kind === "object") return this.#map(type, before);
        break;
      case "list":
        if (kind === "array") return this.#list(type.item, before);
        break;
      case "string":
        if (kind === "string") return this.#scanner.string();
        break;
      case "bool":
        if (kind === "bool") return this.#scanner.bool();
        break;
      case "int32":
      case "int64":
        if (kind === "number") return this.#wholeNumber(type.kind);
        break;
      case "float64":
        if (kind === "number") return this.#number();
        break;
      case "bytes":
        if (kind === "string") return this.#base64();
        if (kind === "array") return this.#listOfBytes();
        break;
      case "JSONSchemaPropsOrArray":
      case "JSONSchemaPropsOrBool":
      case "JSONSchemaPropsOrStringArray":
      case "Quantity":
      case "Time":
      case "MicroTime":
      case "IntOrString":
      case "JSON":
      case "RawExtension":
      case "FieldsV1":
        return this.#apart(type, kind);
    }
    return this.#refuse(kind, type.name);
  }

  #structure(type: StructType, before: Json | undefined): Json {
    const result = copyOf(before);
    const [scanner, report] = [this.#scanner, this.#report];
    /** Only where the result does not tell by itself which keys this object had. */
    let own = before === undefined ? undefined : new Set<string>();
    for (let more = scanner.openObject(); more; more = scanner.moreOfObject()) {
      const key = scanner.key();
      const field = type.fields.get(key);
      if (field === undefined) {
        report.find("unknown", key);
        scanner.skip();
        continue;
      }
      const { name } = field;
      const earlier = Object.hasOwn(result, name) ? result[name] : undefined;
      if (own === undefined ? earlier !== undefined : own.has(name)) report.find("duplicate", name);
      own?.add(name);
      const outer = report.enterField(type, field);
      const value = this.value(field.type, earlier);
      report.leaveField(outer);
      if (value !== undefined) result[name] = value;
      else {
        own ??= new Set([...Object.keys(result), name]);
        delete result[name];
      }
    }
    return result;
  }

  #map(type: CollectionType, before: Json | undefined): Json {
    const result = copyOf(before);
    const [scanner, report] = [this.#scanner, this.#report];
    const own = before === undefined ? undefined : new Set<string>();
    for (let more = scanner.openObject(); more; more = scanner.moreOfObject()) {
      const key = scanner.key();
      if (own === undefined ? Object.hasOwn(result, key) : own.has(key)) report.find("duplicate", key);
      own?.add(key);
      report.path.push(key);
      put(result, key, this.value(type.item, undefined) ?? zeroOf(type.item));
      report.path.pop();
    }
    return result;
  }

  #list(item: GoType, before: Json | undefined): Json {
    const earlier = (before ?? []) as readonly Json[];
    const result: Json[] = [];
    const [scanner, report] = [this.#scanner, this.#report];
    for (let more = scanner.openList(); more; more = scanner.moreOfList()) {
      report.path.push(result.length);
      result.push(this.value(item, earlier[result.length]) ?? zeroOf(item));
      report.path.pop();
    }
    return result;
  }

  #any(kind: ValueKind): Json {
    const [scanner, report] = [this.#scanner, this.#report];
    switch (kind) {
      case "object": {
        const result: Values = {};
        for (let more = scanner.openObject(); more; more = scanner.moreOfObject()) {
          const key = scanner.key();
          if (report.strict && Object.hasOwn(result, key)) report.find("duplicate", key);
          report.path.push(key);
          put(result, key, this.#any(scanner.next()));
          report.path.pop();
        }
        return result;
      }
      case "array": {
        const result: Json[] = [];
        for (let more = scanner.openList(); more; more = scanner.moreOfList()) {
          report.path.push(result.length);
          result.push(this.#any(scanner.next()));
          report.path.pop();
        }
        return result;
      }
      case "string":
        return scanner.string();
      case "number":
        return this.#number() ?? 0;
      case "bool":
        return scanner.bool();
      case "null":
        return scanner.null();
    }
  }

  /** A value of a type that reads itself. */
  #apart(type: OwnType | SchemaOrType, kind: ValueKind): Json | undefined {
    this.#report.enterApart();
    const value = "item" in type ? this.#schemaOr(type, kind) : this.#own(type, kind);
    this.#report.leaveApart();
    return value;
  }

  #own(type: OwnType, kind: ValueKind): Json | undefined {
    const scanner = this.#scanner;
    switch (type.kind) {
      case "Quantity":
        return this.#quantity(kind);
      case "Time":
      case "MicroTime":
        if (kind !== "string") return this.#refuse(kind, "string");
        return this.#checked(scanner.string(), type.kind === "Time" ? timeProblem : microTimeProblem);
      case "IntOrString":
        if (kind === "string") return scanner.string();
        return kind === "number" ? this.#wholeNumber("int32") : this.#refuse(kind, "int32");
      case "JSON":
      case "RawExtension":
      case "FieldsV1":
        return this.#any(kind);
    }
  }

  /** As it is written, number or text: `1e3` is another notation than `1k`. */
  #quantity(kind: ValueKind): Json {
    const scanner = this.#scanner;
    const start = scanner.at;
    scanner.skip();
    const text = scanner.text.slice(start, scanner.at);
    return this.#checked((kind === "string" ? text.slice(1, -1) : text).trim(), quantityProblem);
  }

  /** A schema, or what upstream takes in its place; what it takes but does not keep is dropped. */
  #schemaOr(type: SchemaOrType, kind: ValueKind): Json | undefined {
    if (kind === "object") return this.value(type.item, undefined);
    if (type.kind === "JSONSchemaPropsOrBool") {
      if (kind === "bool") return this.#scanner.bool();
      this.#report.fails("boolean or JSON schema expected");
    } else if (kind === "array") {
      return this.#list(type.kind === "JSONSchemaPropsOrArray" ? type.item : STRING, undefined);
    }
    this.#scanner.skip();
    return undefined;
  }

  #base64(): Json {
    const text = this.#scanner.string();
    const problem = base64Problem(text);
    if (problem !== undefined) this.#report.fitsNot(problem);
    return text.replace(/[\r\n]/g, "");
  }

  /** Go takes bytes also as a list of numbers. */
  #listOfBytes(): Json {
    const bytes: number[] = [];
    const scanner = this.#scanner;
    for (let more = scanner.openList(); more; more = scanner.moreOfList()) {
      const kind = scanner.next();
      if (kind === "number") bytes.push(this.#wholeNumber("uint8") ?? 0);
      else this.#refuse(kind, "uint8");
    }
    return Buffer.from(bytes).toString("base64");
  }

  #wholeNumber(type: "uint8" | "int32" | "int64"): number | undefined {
    const text = this.#scanner.number();
    return this.#kept(text, wholeNumber(text, type), type);
  }

  #number(): number | undefined {
    const text = this.#scanner.number();
    return this.#kept(text, anyNumber(text), "float64");
  }

  #kept(text: string, value: ReturnType<typeof anyNumber>, type: string): number | undefined {
    if (typeof value === "number") return value;
    if (value === "misfit") this.#report.misfits(`number ${text}`, type);
    else this.#report.inexact(text);
    return undefined;
  }

  #checked(text: string, problemOf: (text: string) => string | undefined): string {
    const problem = problemOf(text);
    if (problem !== undefined) this.#report.fails(problem);
    return text;
  }

  /** Passes over a value that does not fit. */
  #refuse(kind: ValueKind, type: string): undefined {
    this.#scanner.skip();
    this.#report.misfits(kind, type);
  }
}

const STRING: GoType = { kind: "string", name: "string" };
