/** What people choose and type, apart from the sample itself: an API alone does not load that. */

/** Where the sample lives. */
export const NAMESPACE = "demo";

export type DriverName = "loop" | "memory";
