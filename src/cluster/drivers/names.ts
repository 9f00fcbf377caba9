/** How the drivers are called. Apart from the drivers: who only names them need not load them. */
export { LOOP_DRIVER, MEMORY_DRIVER } from "../../core/names.ts";
