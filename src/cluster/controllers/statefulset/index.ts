/** The StatefulSet controller of the embedded cluster; README.md says what it does. */
export {
  type StatefulSetController,
  type StatefulSetControllerOptions,
  startStatefulSetController,
} from "./controller/controller.ts";
