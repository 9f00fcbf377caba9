import { isConflict } from "../../kube/index.ts";

const ATTEMPTS = 5;

/** Looks, decides and writes again when somebody else wrote first; gives up when that happens over and over. */
export async function againOnConflict<T>(attempt: () => Promise<T>): Promise<T> {
  for (let left = ATTEMPTS - 1; ; left--) {
    try {
      return await attempt();
    } catch (error) {
      if (left === 0 || !isConflict(error)) throw error;
    }
  }
}
