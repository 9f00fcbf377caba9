/**
 * The same policies in the embedded server, which carries them out itself. With its own way of taking sizes turned off it
 * refuses edits of templates as a stock server does, and they have the same work to do there.
 */
import { afterAll, beforeAll } from "vitest";
import { ADMISSION_POLICIES } from "../../../src/admission/policies/index.ts";
import { DEFAULT_GATES } from "../../../src/core/gates.ts";
import { type Server, startOurs } from "../clients/server.ts";
import { provesAgreement } from "./agreement.ts";
import { install } from "./installed.ts";
import { openStage, type Stage } from "./stage.ts";
import { tellStories } from "./stories.ts";
import { tellWishStories } from "./wish-stories.ts";

let server: Server;
let stage: Stage;

beforeAll(async () => {
  server = await startOurs({ gates: { ...DEFAULT_GATES, StatefulSetVolumeExpansion: false } });
  stage = await openStage(server);
  // They count from the write on: nobody has to wait for them.
  await install(server, ADMISSION_POLICIES);
});
afterAll(() => server?.stop());

provesAgreement(() => server);
tellStories(() => stage, false);
tellWishStories(() => stage);
