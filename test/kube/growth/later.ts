/**
 * Loaded into the program before it starts: its clock is ahead, by a little over a minute unless the address says otherwise
 * (`later.ts?seconds=35`). A set is not re-created before it is a minute old; to this process every set is, and no test has to wait
 * for that.
 */
const ahead = Number(new URL(import.meta.url).searchParams.get("seconds") ?? 61) * 1000;
const { now } = Date;
Date.now = () => now() + ahead;
