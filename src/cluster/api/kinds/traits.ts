/** Words in which rows of the table of kinds say what many have in common. */

export const CLUSTER = { namespaced: false } as const;
export const ACTED = { acted: "acted" } as const;
export const GIVES_OBJECT = { deleteAnswers: "object" } as const;
export const SPEC = { generation: "spec" } as const;
export const MADE_BY_PUT = { createOnUpdate: true } as const;
