/** Where the changes come from that somebody asks for, and how each of them reads. */
import { bookmark, type ObjectEvent, type ObjectWatch, type WatchRequest, watchObjects } from "../objects/watch.ts";
import { createEventWriter, type EventLine, type EventWriter, type Form } from "./answer.ts";
import type { ApiContext, Target } from "./context.ts";
import type { Feed, Feeds } from "./feed.ts";
import { inVersion } from "./shape.ts";

export interface Source {
  /** From behind this revision on. @default from now on */
  open(revision?: number): ObjectWatch;
  lineOf(event: ObjectEvent): EventLine;
  /** How far a watch has come. */
  bookmark(revision: number): EventLine;
  /** Who tells of the same to all who ask it, where others may. */
  feed(): Feed | undefined;
}

export interface SourceOptions {
  readonly context: ApiContext;
  readonly feeds: Feeds;
  readonly target: Target;
  readonly selection: Pick<WatchRequest, "matches" | "name">;
  /** Who asks the same of the same resource has the same. */
  readonly question: string;
  readonly form: Form;
}

// A class, as in store/watch.ts.
export class ResourceSource implements Source {
  readonly #options: SourceOptions;
  readonly #writer: EventWriter;

  constructor(options: SourceOptions) {
    this.#options = options;
    this.#writer = createEventWriter(options.context, options.target.resource.printer, options.form);
  }

  open(revision = this.#options.context.objects.store.revision): ObjectWatch {
    return this.begin({ resourceVersion: String(revision) });
  }

  /** As a client asks for it. Throws `StatusError`. */
  begin(request: Pick<WatchRequest, "resourceVersion" | "sendInitialEvents">): ObjectWatch {
    const { context, target, selection } = this.#options;
    const { resourceVersion, sendInitialEvents } = request;
    const { namespace, resource } = target;
    const { name, matches } = selection;
    return watchObjects(context.objects, resource.kind, {
      namespace,
      name,
      matches,
      resourceVersion,
      sendInitialEvents,
    });
  }

  lineOf({ type, object }: ObjectEvent): EventLine {
    return this.#writer.lineOf({ type, object: inVersion(this.#options.target.resource, object) });
  }

  bookmark(revision: number): EventLine {
    return this.#writer.lineOf(bookmark(this.#options.target.resource.kind, revision));
  }

  feed(): Feed | undefined {
    const { feeds, target, question, form } = this.#options;
    const isCommon = form.kind === "object" && form.writer.name !== "protobuf";
    return isCommon ? feeds.of(target.resource, question, this) : undefined;
  }
}
