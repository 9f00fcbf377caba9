/** What else than its size is fixed in a claim template, in CEL: `compareTemplates` of core, with the messages of `decide/validate.ts`. */
import { SIZE_PATH } from "../../core/claim-spec.ts";
import { text, textOf } from "./cel.ts";
import { aboutTemplates, type ListPair, nameOf, notASize, sizeOf } from "./sizes-in-cel.ts";

const ONLY_SIZES = text(": Forbidden: only the storage size of a claim template may change");

/** The refusals of everything that differs besides sizes, in one text. */
export function fixedTemplates(lists: ListPair): string {
  return `(${otherNumber(lists)} + ${aboutTemplates(lists, otherFields)} + ${firstSizes(lists)})`;
}

function otherNumber({ sent, stored, field }: ListPair): string {
  const names = (list: string) =>
    `(${list}.size() == 0 ? '[]' : '["' + ${list}.map(each, ${nameOf("each")}).join('","') + '"]')`;
  const refusal = `${field} + ': Forbidden: the number of claim templates is fixed: ' + ${names(stored)} + ' cannot become ' + ${names(sent)}`;
  // None before: the operator had a default, and knows best what becomes of it.
  return `(${stored}.size() == 0 || ${sent}.size() == ${stored}.size() ? '' : ${refusal})`;
}

/** Templates that are said for the first time are the operator's business, but for what is no size. */
function firstSizes({ sent, stored, field }: ListPair): string {
  const size = sizeOf("each");
  const refusal = `${field} + '[' + string(${sent}.indexOf(each)) + '].spec.${SIZE_PATH}' + ${notASize(size)}`;
  return `(${stored}.size() > 0 ? [] : ${sent}.filter(each, ${size} != '' && !isQuantity(${size})).map(each, ${refusal})).join(', ')`;
}

function otherFields({ sent, stored, field }: { sent: string; stored: string; field: string }): string {
  const part = (name: string): [string, string] => [fieldsOf(sent, name), fieldsOf(stored, name)];
  const resources = (list: string): [string, string] => [amountsOf(sent, list), amountsOf(stored, list)];
  const texts = [
    refusals(part("metadata"), `${field} + '.metadata.'`, isSameField),
    refusals(part("spec"), `${field} + '.spec.'`, (a, b) => `name == 'resources' || ${isSameField(a, b)}`),
    refusals(resources("limits"), `${field} + '.spec.resources.limits.'`, isSameAmount),
    refusals(
      resources("requests"),
      `${field} + '.spec.resources.requests.'`,
      (a, b) => `name == 'storage' || ${isSameAmount(a, b)}`,
    ),
    unreadableSize(sizeOf(sent), sizeOf(stored), `${field} + '.spec.${SIZE_PATH}'`),
  ];
  return `(${texts.join(" + ")}).join(', ')`;
}

function fieldsOf(template: string, part: string): string {
  return `dyn(${template}.?${part}.orValue({}))`;
}

function amountsOf(template: string, list: string): string {
  return `dyn(${template}.?spec.?resources.?${list}.orValue({}))`;
}

/** One text for each name in either of two maps that does not stand for the same in both. */
function refusals([a, b]: [string, string], prefix: string, isSame: (a: string, b: string) => string): string {
  const names = `(${a}.map(name, name) + ${b}.filter(name, !(name in ${a})))`;
  return `${names}.filter(name, !(${isSame(a, b)})).map(name, ${prefix} + name + ${ONLY_SIZES})`;
}

/** There, but empty, says something else than not there. */
const PRESENCE_COUNTS = "['selector', 'dataSource', 'dataSourceRef']";

/** Empty is as good as missing, and what Kubernetes fills in is as good as not said. */
function isSameField(a: string, b: string): string {
  const value = (map: string) => `${map}[?name].orValue(name == 'volumeMode' ? dyn('Filesystem') : dyn(null))`;
  const isEmpty = (map: string) => `(${value(map)} == null || ${value(map)} == {} || ${value(map)} == [])`;
  const areEmpty = `!(name in ${PRESENCE_COUNTS}) && ${isEmpty(a)} && ${isEmpty(b)}`;
  return `(${value(a)} == ${value(b)} || (${areEmpty}))`;
}

function isSameAmount(a: string, b: string): string {
  const [left, right] = [textOf(`${a}[?name]`), textOf(`${b}[?name]`)];
  const isSameNumber = `isQuantity(${left}) && isQuantity(${right}) && quantity(${left}).compareTo(quantity(${right})) == 0`;
  return `(${left} == ${right} || (${isSameNumber}))`;
}

/** A size that appears or vanishes, or that cannot be read, is no change of a size. One in place of what was none mends that. */
function unreadableSize(sent: string, stored: string, field: string): string {
  const areSizes = `${sent} == ${stored} || (isQuantity(${sent}) && ${stored} != '')`;
  const refusal = `${sent} == '' ? ': Required value' : isQuantity(${sent}) ? ${ONLY_SIZES} : ${notASize(sent)}`;
  return `(${areSizes} ? [] : [${field} + (${refusal})])`;
}
