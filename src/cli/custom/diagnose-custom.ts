/** What failed to grow of all that follows a custom resource. Pure. */
import { type Diagnosis, diagnoseSet, type Part, partOf } from "../recover/diagnosis.ts";
import { type Failure, failureOf } from "../recover/failures.ts";
import type { Picture } from "../status/picture.ts";
import { type Custom, sizesOf } from "./read-custom.ts";
import { wishesOf } from "./wishes.ts";

/** One part per size of the resource that has failures. The picture is that of its namespace. */
export function diagnoseCustom(custom: Custom, { sets, claims }: Picture): Diagnosis {
  const wishes = wishesOf(custom.targets, sets, claims);
  const failures = new Map<string, Failure[]>();
  const note = (name: string, found: readonly Failure[]) =>
    failures.set(name, [...(failures.get(name) ?? []), ...found]);
  const names = new Set(sizesOf(custom).map(({ name }) => name));
  const apart: string[] = [];
  for (const set of sets) {
    const wish = wishes.sets.get(set.metadata.name);
    if (wish === undefined) continue;
    const found = diagnoseSet(set, wish, claims, sets);
    apart.push(...found.apart);
    for (const part of found.parts) {
      const ofSet = `${set.metadata.name}/${part.name}`;
      note(names.has(ofSet) ? ofSet : part.name, part.failures);
    }
  }
  const [size] = sizesOf(custom);
  const ofClaims = claims
    .filter(({ metadata }) => wishes.claims.has(metadata.name))
    .flatMap((claim) => failureOf(claim) ?? []);
  if (ofClaims.length > 0) note(size?.name ?? "", ofClaims);
  const parts: Part[] = [...failures].map(([name, all]) => partOf(name, all));
  return { target: custom.target, parts, apart };
}
