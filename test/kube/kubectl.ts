/** kubectl, of the release of the server that it talks to. */
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";

export interface KubectlResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface KubectlOptions {
  /** Given to it on standard input, for `-f -`. */
  readonly input?: string;
  /** The user to be; the administrator unless told. */
  readonly kubeconfig?: string;
  readonly signal?: AbortSignal;
}

/**
 * Runs kubectl and gives back how it ended, also when it failed. `home` takes its caches: nothing of the real user's
 * configuration is read or written.
 */
export async function runKubectl(
  program: string,
  home: string,
  args: readonly string[],
  options: KubectlOptions & { readonly kubeconfig: string },
): Promise<KubectlResult> {
  const child = spawn(program, args, {
    env: { PATH: process.env["PATH"], HOME: home, KUBECONFIG: options.kubeconfig },
    stdio: ["pipe", "pipe", "pipe"],
    signal: options.signal,
  });
  const ended = new Promise<number | null>((resolve, reject) => child.once("error", reject).once("close", resolve));
  // It may end without having read its input; that is told by its exit code, not by a broken pipe.
  child.stdin.on("error", () => {}).end(options.input ?? "");
  const [code, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { code, stdout, stderr };
}
