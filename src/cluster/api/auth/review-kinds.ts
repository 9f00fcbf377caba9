/** The kinds that are asked and answered, never stored: `create` is all that they know. */
import { type Kind, kindsOf } from "../kinds/kind.ts";

const REVIEW = { verbs: ["create"], acted: "acted", namespaced: false } as const;

export const REVIEW_KINDS: readonly Kind[] = [
  ...kindsOf("authentication.k8s.io/v1", [
    { kind: "SelfSubjectReview", plural: "selfsubjectreviews", ...REVIEW },
    { kind: "TokenReview", plural: "tokenreviews", ...REVIEW },
  ]),
  ...kindsOf("authorization.k8s.io/v1", [
    { kind: "LocalSubjectAccessReview", plural: "localsubjectaccessreviews", ...REVIEW, namespaced: true },
    { kind: "SelfSubjectAccessReview", plural: "selfsubjectaccessreviews", ...REVIEW },
    { kind: "SelfSubjectRulesReview", plural: "selfsubjectrulesreviews", ...REVIEW },
    { kind: "SubjectAccessReview", plural: "subjectaccessreviews", ...REVIEW },
  ]),
];
