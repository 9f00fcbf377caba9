/** The StatefulSet controller of the embedded cluster; README.md says what it does. */
export {
  type StatefulSetControllerOptions,
  startStatefulSetController,
} from "./controller/controller.ts";
