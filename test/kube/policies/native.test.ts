/** The same on a server that takes edits of templates itself: the embedded cluster, with nothing in between. */
import { afterAll, beforeAll } from "vitest";
import { type Server, startOurs } from "../clients/server.ts";
import { openStage, type Stage } from "./stage.ts";
import { tellStories } from "./stories.ts";

let server: Server;
let stage: Stage;

beforeAll(async () => {
  server = await startOurs();
  stage = await openStage(server);
});
afterAll(() => server?.stop());

tellStories(() => stage, true);
