/** What is the same about requests, whatever they go over. */
import type { Method } from "./client.ts";

export function headersFor(method: Method, token: string): Record<string, string> {
  return {
    authorization: `Bearer ${token}`,
    "content-type": method === "PATCH" ? "application/merge-patch+json" : "application/json",
  };
}

export function isRefusal(status: number): boolean {
  return status >= 300;
}

export function refusal(method: Method, path: string, status: number, text: string): Error {
  return new Error(`${method} ${path}: ${status} ${text.slice(0, 300)}`);
}
