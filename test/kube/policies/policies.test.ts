/** A size written into a template becomes a wish, by policies in the API server: every client, and every refusal. */
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { ADMISSION_POLICIES } from "../../../src/admission/policies/index.ts";
import { connectTo, type Server } from "../clients/server.ts";
import { startControlPlane } from "../control-plane.ts";
import { provesAgreement } from "./agreement.ts";
import { acts, install } from "./installed.ts";
import { openStage, type Stage } from "./stage.ts";
import { tellStories } from "./stories.ts";
import { tellWishStories } from "./wish-stories.ts";

let server: Server;
let stage: Stage;

beforeAll(async () => {
  const plane = await startControlPlane({ controllers: [] });
  const folder = await mkdtemp(join(tmpdir(), "outgrow-policies-"));
  server = connectTo("theirs", plane.admin.kubeconfig, folder, () => plane.stop());
  stage = await openStage(server);
  await install(server, ADMISSION_POLICIES);
  await acts(server);
});
afterAll(() => server?.stop());

provesAgreement(() => server);
tellStories(() => stage, false);
tellWishStories(() => stage);
