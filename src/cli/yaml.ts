/** What we use of the yaml package, by name: in the bundle, a CommonJS package that is imported late has no names. */
export { parse, stringify, YAMLError } from "yaml";
