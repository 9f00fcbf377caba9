/** Loaded before a measured program (`node --import`): on exit tells what it used, on file descriptor 3. */
import { writeSync } from "node:fs";

process.on("exit", () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  writeSync(3, JSON.stringify({ peakMegabytes: maxRSS / 1024, cpuMilliseconds: (userCPUTime + systemCPUTime) / 1000 }));
});
