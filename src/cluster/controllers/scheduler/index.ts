/** The scheduler of the embedded cluster; README.md says what it does. */
export { type SchedulerOptions, startScheduler } from "./controller/controller.ts";
export { STANDS_FOR_ALL } from "./decide/node-selector.ts";
