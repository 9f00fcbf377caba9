/** `import { ... } from "outgrow"`: what operators and tools are built from. docs/library.md shows the parts together. */
export * from "./client.ts";
export * from "./growing.ts";
export * from "./rules.ts";
