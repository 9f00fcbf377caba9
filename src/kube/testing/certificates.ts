/** Throw-away certificates, made with the openssl program. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

export const hasOpenssl: boolean = spawnSync("openssl", ["version"], { stdio: "ignore" }).status === 0;

export interface Issued {
  readonly cert: Buffer;
  readonly key: Buffer;
}

export interface Authority {
  readonly ca: Buffer;
  /** A certificate for this name; `alternatives` as openssl writes them: `IP:127.0.0.1`, `DNS:kubernetes`. */
  issue(commonName: string, alternatives?: string): Issued;
  [Symbol.dispose](): void;
}

export function createAuthority(): Authority {
  const directory = mkdtempSync(path.join(tmpdir(), "authority-"));
  const at = (name: string): string => path.join(directory, name);
  const openssl = (...args: string[]): void => void execFileSync("openssl", args, { stdio: "ignore" });
  const KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  openssl(
    "req",
    "-x509",
    ...KEY,
    "-keyout",
    at("ca.key"),
    "-out",
    at("ca.crt"),
    "-subj",
    "/CN=test authority",
    "-days",
    "2",
  );
  let count = 0;
  return {
    ca: readFileSync(at("ca.crt")),
    issue(commonName, alternatives) {
      const name = `leaf-${count++}`;
      openssl("req", ...KEY, "-keyout", at(`${name}.key`), "-out", at(`${name}.csr`), "-subj", `/CN=${commonName}`);
      writeFileSync(at(`${name}.ext`), alternatives === undefined ? "" : `subjectAltName=${alternatives}\n`);
      const from = ["-req", "-in", at(`${name}.csr`), "-CA", at("ca.crt"), "-CAkey", at("ca.key"), "-CAcreateserial"];
      openssl("x509", ...from, "-out", at(`${name}.crt`), "-days", "1", "-extfile", at(`${name}.ext`));
      return { cert: readFileSync(at(`${name}.crt`)), key: readFileSync(at(`${name}.key`)) };
    },
    [Symbol.dispose]: () => rmSync(directory, { recursive: true }),
  };
}
