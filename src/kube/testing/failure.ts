/** The `KubeError` that a promise rejects with; anything else is passed on, and success is a failure. */
import { KubeError } from "../kube-error.ts";

export async function failure(promise: Promise<unknown>): Promise<KubeError> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof KubeError) return error;
    throw error;
  }
  throw new Error("expected a KubeError; it went well");
}
