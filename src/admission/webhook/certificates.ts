/**
 * The webhook's certificates, as four PEM texts that all replicas share: an authority of their own, which the API server
 * is told to trust, and the certificate that it vouches for.
 *
 * The authority keeps its key for life, and before it ends it is made anew from that key under the same name: who trusts
 * the old one trusts what the new one vouches for. So a replica may serve with an older certificate for a while.
 */
import {
  isGoodServer,
  isTimely,
  parseCertificate,
  type ServerPair,
  validFrom,
} from "../../kube/certificates/check-certificate.ts";
import {
  type Authority,
  issueAuthority,
  issueServer,
  type ServerNames,
} from "../../kube/certificates/issue-certificate.ts";
import { createKey, readKey, tryReadKey } from "../../kube/certificates/keys.ts";
import { WEBHOOK_NAME } from "./install.ts";

export interface Certificates extends ServerPair {
  /** What the API server is told to trust. */
  readonly ca: string;
  readonly caKey: string;
}

const DAY = 24 * 3_600_000;
const AUTHORITY_LIFE = 10 * 365 * DAY;
const SERVER_LIFE = 90 * DAY;

/** How an API server calls the webhook: behind the Service of this namespace, or on this machine. */
export function webhookNames(namespace: string): ServerNames {
  const service = `${WEBHOOK_NAME}.${namespace}.svc`;
  return { commonName: service, dns: [service, "localhost"], ip: ["127.0.0.1", "::1"] };
}

/**
 * Certificates that will do now (milliseconds since the epoch) and for a good while: the very same object when those at
 * hand do, else with as little made anew as can be. Nobody but our own configurations trusts them, so what is damaged is
 * simply replaced.
 */
export function ensureGood(held: Certificates | undefined, names: ServerNames, now: number): Certificates {
  const authority = held && readAuthority(held, now);
  if (held !== undefined && authority !== undefined) {
    if (isGoodServer(held, authority, names, now)) return held;
    return { ...held, ...makeServer(authority, names, now) };
  }
  return makeAll(held?.caKey, names, now);
}

/** The authority, if it is whole and lasts. */
function readAuthority({ ca, caKey }: Certificates, now: number): Authority | undefined {
  const [certificate, key] = [parseCertificate(ca), tryReadKey(caKey)];
  if (certificate === undefined || key === undefined) return undefined;
  const isWhole = certificate.ca && certificate.checkPrivateKey(key) && isTimely(certificate, now);
  return isWhole ? { certificate: ca, key } : undefined;
}

/** Everything anew; from this key of the authority, if it is one. */
function makeAll(formerKey: string | undefined, names: ServerNames, now: number): Certificates {
  const caKey = formerKey !== undefined && tryReadKey(formerKey) !== undefined ? formerKey : createKey();
  const key = readKey("the authority's key", caKey);
  const ca = issueAuthority(WEBHOOK_NAME, key, validFrom(now, now + AUTHORITY_LIFE));
  return { ca, caKey, ...makeServer({ certificate: ca, key }, names, now) };
}

function makeServer(authority: Authority, names: ServerNames, now: number): ServerPair {
  const key = createKey();
  const validity = validFrom(now, now + SERVER_LIFE);
  return { key, cert: issueServer(names, readKey("the webhook's key", key), authority, validity) };
}
