/** What people are told about a claim or a volume, as an Event. */

export interface News {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
}

export function normal(reason: string, message: string): News {
  return { type: "Normal", reason, message };
}

export function warning(reason: string, message: string): News {
  return { type: "Warning", reason, message };
}
