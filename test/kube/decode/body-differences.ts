/** Where ours answers a body otherwise than the real server, with the reason. A test fails when one is no longer so. */

const OTHER_PARSER = "another parser tells in other words, or for another line, where YAML breaks";
const GO_VALUES = "the server shows values as Go prints them";
const DEPTH = "ours goes less deep";

export const DIFFERENCES: Readonly<Record<string, string>> = {
  "configMap: a kind in other letters": "ours looks for the kind under its exact name, as for any other field",
  "configMap: a value and then null": "of a field that stands twice the last counts for ours, also when it is null",
  "configMap: generation 9007199254740993": "ours refuses whole numbers that it could not keep exactly",
  "set: a version of old": "ours serves one version of a kind, and knows of no other",
  'claim: {"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"+1"}}}}':
    "ours always shows the canonical form of a quantity",
  "YAML: a list as key": GO_VALUES,
  "YAML: null as key": GO_VALUES,
  "YAML: an open list": OTHER_PARSER,
  "YAML: an open mapping": OTHER_PARSER,
  "YAML: a list and a mapping": OTHER_PARSER,
  "YAML: a bad indent": OTHER_PARSER,
  "YAML: generation -": "ours takes a dash alone for a list",
  "YAML: data -": "ours takes a dash alone for a list",
  "YAML: very deep lists": DEPTH,
  "YAML: very deep lists in a line": DEPTH,
};
