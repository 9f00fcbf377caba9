/**
 * The webhook for API servers without mutating admission policies: sizes that people write into templates are taken for
 * wishes, by the same rules. Every replica serves; none needs a lease.
 */
import { X509Certificate } from "node:crypto";
import {
  type KubeClient,
  type Logger,
  type Metrics,
  noMetrics,
  STORAGE_CLASSES,
  silentLogger,
  sleep,
  startInformer,
  systemTimers,
  type Timers,
} from "../../kube/index.ts";
import { storageClasses } from "../storage-classes.ts";
import { type Certificates, webhookNames } from "./certificates.ts";
import { type HookRule, MUTATE_PATH, RESOURCES_PATH, VALIDATE_PATH, WEBHOOK_NAME } from "./install.ts";
import {
  type AdmissionRequest,
  type Answer,
  type KnownClasses,
  mutate,
  type ResourceRule,
  validate,
  validateResource,
} from "./review.ts";
import { startReviewServer } from "./server.ts";
import { sharedCertificates } from "./shared-secret.ts";
import { spreadTrust } from "./trust.ts";
import { type WebhookPart, webhookMetrics } from "./webhook-metrics.ts";

export interface WebhookOptions {
  readonly client: KubeClient;
  /** Where the Secret with the certificates is, and the Service that the API server calls. */
  readonly namespace: string;
  /** 0 for any that is free. */
  readonly port: number;
  /** @default every address */
  readonly host?: string;
  /** Who knows custom resources whose sizes are to be judged. @default nobody */
  readonly resources?: ResourceJudge;
  /** How often the certificates and the configurations are looked at, in milliseconds. @default a minute */
  readonly lookEvery?: number;
  readonly timers?: Timers;
  readonly logger?: Logger;
  readonly metrics?: Metrics;
}

export interface ResourceJudge {
  /** The updates to ask about, at this moment; undefined while that is not known. */
  rules(): readonly HookRule[] | undefined;
  readonly judge: ResourceRule;
}

export interface Webhook {
  readonly port: number;
  /**
   * Resolves when it serves with a certificate, the configurations that are installed trust it, and it knows the storage
   * classes.
   */
  readonly ready: Promise<void>;
  /** Ends it; `ready` rejects if that has not come before. May be called twice. */
  stop(): Promise<void>;
}

const LOOK_EVERY = 60_000;
const RETRY_AFTER = 2_000;

/**
 * Rejects when the port cannot be had. Whatever else goes wrong is logged and tried again: a webhook that does not serve is
 * no reason for anything else to stop.
 */
export async function startWebhook(options: WebhookOptions): Promise<Webhook> {
  const { client, namespace, port, host, resources, lookEvery = LOOK_EVERY } = options;
  const { timers = systemTimers, logger = silentLogger, metrics = noMetrics } = options;
  const counts = webhookMetrics(metrics);
  const stopping = new AbortController();
  const { signal } = stopping;

  const classes = startInformer(
    { client, resource: STORAGE_CLASSES, trim: (storageClass) => storageClass, timers, logger },
    signal,
  );
  const answering =
    (webhook: WebhookPart, rule: (request: AdmissionRequest, classes: KnownClasses) => Answer | Promise<Answer>) =>
    async (request: AdmissionRequest): Promise<Answer> => {
      const answer = await rule(request, classes.isSynced ? storageClasses(classes.values()) : undefined);
      counts.answered(webhook, answer.outcome);
      if (answer.outcome === "failed") logger.warn({ problem: answer.problem }, "a rule failed; the request went on");
      return answer;
    };
  const server = await startReviewServer(
    { port, host },
    {
      [MUTATE_PATH]: answering("mutate", mutate),
      [VALIDATE_PATH]: answering("validate", validate),
      ...(resources && {
        [RESOURCES_PATH]: answering("resources", (request, known) =>
          validateResource(request, known, (...asked) => resources.judge(...asked)),
        ),
      }),
    },
    { timers, logger },
  ).catch(async (error: unknown) => {
    await classes.stop();
    throw error;
  });
  const trusted = Promise.withResolvers<void>();
  let serving: Certificates | undefined;
  let installed: boolean | undefined;

  async function look(): Promise<void> {
    const names = webhookNames(namespace);
    const certificates = await sharedCertificates(client, namespace, names, timers.now(), signal);
    if (certificates.cert !== serving?.cert) {
      server.use(certificates);
      serving = certificates;
      const until = new X509Certificate(certificates.cert).validToDate;
      counts.serves(until.getTime());
      logger.info({ until: until.toISOString() }, "the webhook serves with a new certificate");
    }
    const isInstalled = await spreadTrust(client, certificates.ca, resources?.rules(), signal);
    if (!isInstalled && installed !== false) {
      logger.warn({ name: WEBHOOK_NAME }, "the API server does not know the webhook; install its configurations");
    }
    installed = isInstalled;
    trusted.resolve();
  }

  async function keepLooking(): Promise<void> {
    while (!signal.aborted) {
      const failed = await look().then(
        () => false,
        (error: unknown) => {
          if (!signal.aborted) logger.warn({ err: error }, "the webhook cannot be called; this is tried again");
          return true;
        },
      );
      await sleep(timers, failed ? Math.min(RETRY_AFTER, lookEvery) : lookEvery, signal).catch(() => {});
    }
    trusted.reject(signal.reason);
  }

  const looking = keepLooking();
  const ready = Promise.all([trusted.promise, classes.synced]).then(() => {});
  // Whoever does not wait for it need not hear that it never came.
  ready.catch(() => {});
  return {
    port: server.port,
    ready,
    async stop() {
      stopping.abort();
      await Promise.all([looking, classes.stop(), server.stop()]);
    },
  };
}
