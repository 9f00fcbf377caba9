import { classObstacle, explainObstacle } from "../claim-resize.ts";
import { type Check, pass, refuse, someOf, splitReason, warn } from "./check.ts";
import { wanting } from "./facts.ts";

/** Kubernetes refuses a claim that asks for more when its class is gone, unnamed or rigid (KEP-284). */
export const classExpandable: Check = {
  id: "class-expandable",
  question: "Does the storage class of each claim allow expansion?",
  run: (facts) => {
    const byClass = Map.groupBy(wanting(facts), ({ view }) => view.className ?? "");
    return [...byClass].map(([name, claims]) => {
      if (name === "") {
        return refuse(
          `no storage class is named by ${someOf(claims.map(({ view }) => view.name))}`,
          "only claims of a class that allows expansion can grow; make new ones, and copy the data",
        );
      }
      if (facts.classes === undefined) {
        return warn(
          `whether storage class "${name}" allows expansion is not known: no storage class was read`,
          "let the plan read the storage classes, too (kubectl get sc)",
        );
      }
      const obstacle = classObstacle(name, facts.classes);
      if (obstacle === undefined) return pass(`storage class "${name}" allows expansion`);
      const { what, wayOut } = splitReason(explainObstacle(obstacle));
      return refuse(what, wayOut);
    });
  },
};
