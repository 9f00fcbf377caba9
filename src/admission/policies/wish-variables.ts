/** The annotation read in CEL, as core/wish.ts reads it: four variables for the stored set, and four for the one sent. */
import { BETA_STORAGE_CLASS, WISH_ANNOTATION } from "../../core/names.ts";
import { cel, type Variable } from "./policy.ts";

/**
 * For `stored` (`oldObject`) or `sent` (`object`):
 * - `storedText`: the annotation, empty without one;
 * - `storedEntries`: its entries, each cut at the signs: `[["data", "200Gi"], ["wal", "20Gi"]]`, whatever they look like;
 * - `storedReadable`: every entry is a template and a size above zero, and no template is named twice;
 * - `storedWish`: size by template; nothing when it cannot be read.
 */
export function wishVariables(which: "stored" | "sent"): readonly Variable[] {
  const object = which === "stored" ? "oldObject" : "object";
  return [
    {
      name: `${which}Text`,
      expression: `${object}.metadata.?annotations[?'${WISH_ANNOTATION}'].orValue('')`,
    },
    {
      name: `${which}Entries`,
      expression: cel`
        variables.${which}Text.trim() == '' ? [] :
        variables.${which}Text.split(',').map(entry, entry.split('=').map(part, part.trim()))`,
    },
    {
      name: `${which}Readable`,
      expression: cel`
        variables.${which}Entries.all(entry, ${isTemplateAndSize("entry")} && ${isPositiveSize("entry[1]")})
        && variables.${which}Entries.map(entry, entry[0]).distinct().size() == variables.${which}Entries.size()`,
    },
    {
      name: `${which}Wish`,
      expression: cel`
        variables.${which}Readable
        ? variables.${which}Entries.transformMapEntry(i, entry, {entry[0]: entry[1]})
        : {}`,
    },
  ];
}

/** An entry has just two parts, and neither is empty. */
export function isTemplateAndSize(entry: string): string {
  return `${entry}.size() == 2 && ${entry}[0] != '' && ${entry}[1] != ''`;
}

export function isPositiveSize(text: string): string {
  return `isQuantity(${text}) && quantity(${text}).isGreaterThan(quantity('0'))`;
}

/** Whether a wish, given as a map, has just this size for a template. */
export function wishesFor(wish: string, template: string, size: string): string {
  return `(${template} in ${wish} && quantity(${wish}[${template}]).compareTo(quantity(${size})) == 0)`;
}

/** The size that a template has now, as text; zero for one that says none. */
export function sizeOf(template: string): string {
  return `string(${template}.spec.?resources.?requests[?'storage'].orValue('0'))`;
}

/**
 * The templates of the set, and the places in that list of those that are newly wished larger than they are. Needs
 * the variables of both wishes.
 */
export const GROWING: readonly Variable[] = [
  { name: "templates", expression: "object.spec.?volumeClaimTemplates.orValue([])" },
  { name: "names", expression: "variables.templates.map(template, template.metadata.name)" },
  { name: "sizes", expression: `variables.templates.map(template, ${sizeOf("template")})` },
  {
    name: "growing",
    expression: cel`
      lists.range(variables.templates.size()).filter(i,
        variables.names[i] in variables.sentWish
        && !${wishesFor("variables.storedWish", "variables.names[i]", "variables.sentWish[variables.names[i]]")}
        && quantity(variables.sentWish[variables.names[i]]).isGreaterThan(quantity(variables.sizes[i])))`,
  },
];

/** The class that a template names, as an optional: the old annotation wins over the field. */
export function classOf(template: string): string {
  return `${template}.metadata.?annotations[?'${BETA_STORAGE_CLASS}'].or(${template}.spec.?storageClassName)`;
}

/** How a message begins that refuses a size, of the template at the place `i`. */
export const SIZE_FORBIDDEN =
  "'spec.volumeClaimTemplates[' + string(i) + '].spec.resources.requests.storage: Forbidden: '";
