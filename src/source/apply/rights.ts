/** What the API server lets us do: asked of it, so that a missing right is told before something fails for it. */
import type { KubeClient } from "../../kube/index.ts";
import type { PolicyRule } from "../../statefulset/index.ts";

/** The rules of which something is missing, each with the verbs that are. Without namespaces: in all of them. */
export async function missingRules(
  client: Pick<KubeClient, "raw">,
  rules: readonly PolicyRule[],
  namespaces: readonly string[],
  signal: AbortSignal,
): Promise<readonly PolicyRule[]> {
  const checked = await Promise.all(
    rules.map(async (rule) => {
      const answers = await Promise.all(rule.verbs.map((verb) => isAllowed(client, rule, verb, namespaces, signal)));
      return { ...rule, verbs: rule.verbs.filter((_, index) => answers[index] === false) };
    }),
  );
  return checked.filter(({ verbs }) => verbs.length > 0);
}

async function isAllowed(
  client: Pick<KubeClient, "raw">,
  { apiGroups, resources }: PolicyRule,
  verb: string,
  namespaces: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  const places = namespaces.length === 0 ? [undefined] : namespaces;
  const asked = places.flatMap((namespace) =>
    apiGroups.flatMap((group) => resources.map((each) => ({ namespace, verb, group, ...partsOf(each) }))),
  );
  const answers = await Promise.all(asked.map((attributes) => review(client, attributes, signal)));
  return answers.every(Boolean);
}

async function review(
  client: Pick<KubeClient, "raw">,
  resourceAttributes: object,
  signal: AbortSignal,
): Promise<boolean> {
  const path = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
  const body = {
    apiVersion: "authorization.k8s.io/v1",
    kind: "SelfSubjectAccessReview",
    spec: { resourceAttributes },
  };
  const what = "create selfsubjectaccessreviews";
  const answer = await client.raw<{ status?: { allowed?: boolean } }>({ method: "POST", path, body, what }, signal);
  return answer.status?.allowed === true;
}

/** `mysqlclusters/status` into its two parts. */
function partsOf(text: string): { readonly resource: string; readonly subresource?: string } {
  const [resource = "", subresource] = text.split("/");
  return { resource, ...(subresource === undefined ? {} : { subresource }) };
}
