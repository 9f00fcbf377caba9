/** What is the same about requests, whatever they go over. */
import type { Method } from "./client.ts";

export function headersFor(method: Method, token: string): Record<string, string> {
  return {
    authorization: `Bearer ${token}`,
    "content-type": method === "PATCH" ? "application/merge-patch+json" : "application/json",
  };
}

/** The text of an answer, or an error for a refusal. */
export function expectSuccess(method: Method, path: string, status: number, text: string): string {
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text.slice(0, 300)}`);
  return text;
}
