/**
 * Answers for drivers whose volumes need no attaching: whoever asks for an attachment is told that it is there. (The
 * attach controller of Kubernetes does not ask for drivers whose CSIDriver says `attachRequired: false`.)
 */
import type { KubeObject } from "../../../../core/types.ts";
import {
  defineResource,
  mergePatch,
  refOf,
  startInformer,
  withoutManagedFields,
  withPrecondition,
} from "../../../../kube/index.ts";
import type { Behaviour, Controller } from "../../shared/run-controller.ts";
import {
  runVolumeController,
  type VolumeControllerOptions,
  type VolumeSurroundings,
} from "../shared/run-volume-controller.ts";

export interface VolumeAttachment extends KubeObject {
  spec: { attacher: string; nodeName?: string; source?: { persistentVolumeName?: string } };
  status?: { attached?: boolean };
}

export const VOLUME_ATTACHMENTS = defineResource<VolumeAttachment>(
  "storage.k8s.io/v1",
  "VolumeAttachment",
  "volumeattachments",
  "Cluster",
);

export interface AttacherOptions extends VolumeControllerOptions {
  /** The drivers that it answers for. */
  readonly drivers: readonly string[];
}

/** Starts at once; the caller stops it, and closes the client. */
export function startAttacher(options: AttacherOptions): Controller {
  const names = { name: "volume-attacher", component: "volume-attacher" };
  return runVolumeController({ ...options, ...names }, (surroundings) => begin(new Set(options.drivers), surroundings));
}

function begin(
  drivers: ReadonlySet<string>,
  { client, queue, timers, logger, metrics, signal }: VolumeSurroundings,
): Behaviour {
  const attachments = startInformer<VolumeAttachment>({
    client,
    resource: VOLUME_ATTACHMENTS,
    trim: withoutManagedFields,
    timers,
    logger,
    metrics,
  });
  const add = ({ metadata }: VolumeAttachment): void => queue.add(metadata.name);
  attachments.addHandler({ added: add, updated: (_, after) => add(after) });

  return {
    informers: [attachments],
    async reconcile(name) {
      const attachment = attachments.get({ name });
      if (attachment === undefined || !isAskedFor(attachment, drivers)) return;
      const body = mergePatch(attachment, { ...attachment, status: { ...attachment.status, attached: true } });
      if (body === undefined) return;
      const patch = { type: "merge", body: withPrecondition(body, attachment) } as const;
      await client.patch(VOLUME_ATTACHMENTS, refOf(attachment), patch, { subresource: "status" }, signal);
    },
  };
}

/** One that is going needs no answer: nobody holds it back. */
function isAskedFor({ metadata, spec }: VolumeAttachment, drivers: ReadonlySet<string>): boolean {
  return drivers.has(spec.attacher) && metadata.deletionTimestamp === undefined;
}
