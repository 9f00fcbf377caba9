/** An object with what somebody applies merged into it. */
import { fromEntries, get, isList, isObject, type Json, type JsonObject } from "../../json.ts";
import { type ListShape, type MapShape, shapeOf, typeOfKey } from "../../schema/schema.ts";
import type { FieldType } from "../../schema/types.ts";
import { itemElement } from "./list-item.ts";
import { encodeElement } from "./path-element.ts";

/** Leaves of `applied` win; maps and merged lists are merged. Undefined where nothing is left to say. */
export function merge(live: Json | undefined, applied: Json | undefined, type: FieldType): Json | undefined {
  // What stands on one side only stays as it is.
  if (applied === undefined) return live;
  if (live === undefined) return applied;
  const shape = shapeOf(type, applied ?? live);
  switch (shape.kind) {
    case "scalar":
      return applied;
    case "list": {
      const [left, right] = [listOf(live), listOf(applied)];
      if (shape.atomic || (left.length === 0 && right.length === 0)) return applied;
      return mergeItems(left, right, shape);
    }
    case "map": {
      const [left, right] = [objectOf(live), objectOf(applied)];
      const empty = Object.keys(left).length === 0 && Object.keys(right).length === 0;
      if (shape.atomic || empty) return applied;
      return mergeKeys(left, right, shape);
    }
  }
}

function mergeKeys(live: JsonObject, applied: JsonObject, shape: MapShape): JsonObject | undefined {
  const merged = new Map<string, Json>();
  for (const key of new Set([...Object.keys(live), ...Object.keys(applied)])) {
    const value = merge(get(live, key), get(applied, key), typeOfKey(shape, key) ?? "any");
    if (value !== undefined) merged.set(key, value);
  }
  return merged.size === 0 ? undefined : fromEntries(merged);
}

/**
 * Items that are applied come in the order in which they are applied; items of others stay where they were between them.
 * An item that is live twice is not merged with: the applied one takes the place of both.
 */
function mergeItems(live: readonly Json[], applied: readonly Json[], shape: ListShape): Json | undefined {
  const stepOf = (item: Json) => encodeElement(itemElement(shape, item));
  const left = live.map(stepOf);
  const right = applied.map(stepOf);
  const fromLive = new Map<string, Json | null>();
  for (const [index, step] of left.entries()) fromLive.set(step, fromLive.has(step) ? null : (live[index] ?? null));
  const fromApplied = new Map(right.map((step, index) => [step, applied[index] ?? null]));
  const inBoth = right.filter((step) => fromLive.has(step));
  let next = 0;

  const merged: Json[] = [];
  const done = new Set<string>();
  const take = (old: Json | undefined, next: Json | undefined) => {
    const item = merge(old, next, shape.item);
    if (item !== undefined) merged.push(item);
  };
  let [l, r] = [0, 0];
  while (l < left.length || r < right.length) {
    const [mine, theirs] = [left[l], right[r]];
    if (mine !== undefined && mine === theirs) {
      done.add(mine);
      take(fromLive.get(mine), fromApplied.get(mine));
      next++;
      l++;
      r++;
      continue;
    }
    if (
      mine !== undefined &&
      theirs !== undefined &&
      fromApplied.has(mine) &&
      inBoth[next] !== undefined &&
      inBoth[next] !== mine
    ) {
      l++;
      continue;
    }
    if (mine !== undefined) {
      if (!fromApplied.has(mine)) {
        take(live[l], undefined);
        l++;
        continue;
      }
      if (done.has(mine)) l++;
    }
    if (theirs !== undefined) {
      done.add(theirs);
      take(fromLive.get(theirs), fromApplied.get(theirs));
      r++;
      if (inBoth[next] === theirs) next++;
    }
  }
  return merged.length === 0 ? undefined : merged;
}

function listOf(value: Json | undefined): readonly Json[] {
  return isList(value) ? value : [];
}

function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}
