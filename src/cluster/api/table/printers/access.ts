/** Who may do what. Roles themselves have no columns of their own. */
import type { JsonObject } from "../../json.ts";
import { items, text } from "../fields.ts";
import { AGE, column, NAME, printer, WIDE } from "../printer.ts";

/** Of a namespace and of the cluster alike. */
export const roleBindings = printer([
  NAME,
  column("Role", (binding) => `${text(binding, "roleRef", "kind")}/${text(binding, "roleRef", "name")}`),
  AGE,
  column("Users", (binding) => subjects(binding, "User"), WIDE),
  column("Groups", (binding) => subjects(binding, "Group"), WIDE),
  column("ServiceAccounts", (binding) => subjects(binding, "ServiceAccount"), WIDE),
]);

function subjects(binding: JsonObject, kind: string): string {
  return items(binding, "subjects")
    .filter((subject) => text(subject, "kind") === kind)
    .map((subject) => {
      const name = text(subject, "name");
      return kind === "ServiceAccount" ? `${text(subject, "namespace")}/${name}` : name;
    })
    .join(", ");
}
