/** What somebody sees who has just started a cluster: that it is there, and what to type next. */
import { SAMPLE_NAMESPACE } from "../../cluster/index.ts";

export interface Started {
  readonly url: string;
  readonly kubeconfig: string;
  /** More than an API. */
  readonly controllers: boolean;
  readonly sample: boolean;
  readonly milliseconds: number;
  /** How this program is called here. */
  readonly program: string;
}

export function banner({ url, kubeconfig, controllers, sample, milliseconds, program }: Started): string {
  const what = controllers ? "A cluster" : "An empty Kubernetes API";
  return [
    `${what} is ready at ${url}, after ${(milliseconds / 1000).toFixed(2)} s.`,
    "",
    `  export KUBECONFIG=${quoted(kubeconfig)}`,
    ...(controllers && sample ? SAMPLE : EMPTY).map((line) => line.replace(/^ {2}outgrow /, `  ${quoted(program)} `)),
    "",
    "Everything is kept; Ctrl-C stops it, and the next start goes on from here.",
    "",
  ].join("\n");
}

const EMPTY = ["  outgrow get namespaces", "  kubectl api-resources"];

/** Four things to try, each with its outcome; they work without kubectl. */
const SAMPLE = [
  "",
  "Look at it:",
  `  outgrow get sts,pods,pvc -n ${SAMPLE_NAMESPACE}`,
  "",
  "Grow the volumes of the database, and see them follow:",
  `  outgrow resize sts/db data=2Gi -n ${SAMPLE_NAMESPACE} --watch`,
  "",
  "Grow those of a MySQLCluster, where its operator has the size:",
  `  outgrow resize mysqlcluster/shop mysql-data=2Gi -n ${SAMPLE_NAMESPACE} --watch`,
  "",
  "Ask for more than the storage can ever have, see it fail, and recover by asking for less:",
  `  outgrow resize pvc/fragile 20Gi -n ${SAMPLE_NAMESPACE} --watch`,
  `  outgrow recover pvc/fragile -n ${SAMPLE_NAMESPACE} --to 5Gi --watch`,
];

/** For a shell. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
