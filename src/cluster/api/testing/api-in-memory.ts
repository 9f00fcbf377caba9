/** The API of a test, which has its objects in memory, and clients that are in the same process. */
import { generateKeyPairSync, randomInt, randomUUID } from "node:crypto";
import { Registry } from "@prometheus-io/client";
import { DEFAULT_GATES } from "../../../core/gates.ts";
import {
  createClient,
  createTransport,
  fixedCredentials,
  type KubeClient,
  prometheusMetrics,
  silentLogger,
  systemTimers,
} from "../../../kube/index.ts";
import { configFor } from "../../../kube/testing/connect.ts";
import { openMemoryStore } from "../../store/index.ts";
import { signingKeyOf } from "../auth/jwt.ts";
import { type Api, type ApiOptions, createApi } from "../index.ts";

export const ADMIN_TOKEN = "of-the-administrator";

/** It has to be told to begin. */
export function createApiInMemory(options: Partial<ApiOptions> = {}): Api {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const registry = options.registry ?? new Registry();
  return createApi({
    store: openMemoryStore(),
    gates: DEFAULT_GATES,
    logger: silentLogger,
    metrics: prometheusMetrics(registry),
    registry,
    clock: systemTimers,
    chance: { uid: randomUUID, below: (limit) => randomInt(limit) },
    adminToken: ADMIN_TOKEN,
    signingKey: signingKeyOf(privateKey),
    tellsPolicies: false,
    onSlowReader() {},
    ...options,
  });
}

/** Of the administrator. */
export function clientOf(api: Api): KubeClient {
  const credentials = fixedCredentials({ authorization: `Bearer ${ADMIN_TOKEN}` });
  return createClient(createTransport(configFor("http://127.0.0.1:1", { connect: () => api.connect(), credentials })));
}
