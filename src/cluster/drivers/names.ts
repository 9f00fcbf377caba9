/** The drivers of the embedded cluster, by the names that classes call them. Apart from the drivers: who only names them need not load them. */
export const LOOP_DRIVER = "loop.csi.outgrow.dev";
export const MEMORY_DRIVER = "memory.csi.outgrow.dev";
