/** Kubernetes' quantities. */
import { Quantity } from "../../../../core/quantity.ts";
import { type FunctionDeclaration, member, overload } from "../check/declarations.ts";
import { BOOL, DOUBLE, INT, STRING, sealed } from "../check/types.ts";
import { type CelError, error, type Opaque, type Value } from "../value/value.ts";
import { type Amount, amountOf, integerOf, negated, plus } from "./quantity-amount.ts";

export const QUANTITY = sealed("kubernetes.Quantity");

interface Held {
  readonly quantity: Quantity;
  readonly amount: Amount | undefined;
}

function quantityValue(quantity: Quantity, amount: Amount | undefined): Opaque {
  return {
    kind: "opaque",
    type: QUANTITY,
    data: { quantity, amount } satisfies Held,
    equals: (other) => quantity.equals(quantityOf(other)),
    text: String(quantity),
  };
}

function heldIn(value: Value | undefined): Held {
  return (value as Opaque).data as Held;
}

function quantityOf(value: Value | undefined): Quantity {
  return heldIn(value).quantity;
}

export const QUANTITIES: readonly FunctionDeclaration[] = [
  {
    name: "quantity",
    overloads: [overload("string_to_quantity", [STRING], QUANTITY, ([text]) => parse(text as string))],
  },
  {
    name: "isQuantity",
    overloads: [
      overload("is_quantity_string", [STRING], BOOL, ([text]) => Quantity.tryParse(text as string) !== undefined),
    ],
  },
  {
    name: "sign",
    overloads: [overload("quantity_sign", [QUANTITY], INT, ([a]) => BigInt(quantityOf(a).compare(Quantity.zero)))],
  },
  comparison("isGreaterThan", "quantity_is_greater_than", (order) => order > 0),
  comparison("isLessThan", "quantity_is_less_than", (order) => order < 0),
  {
    name: "compareTo",
    overloads: [
      member("quantity_compare_to", [QUANTITY, QUANTITY], INT, ([a, b]) =>
        BigInt(quantityOf(a).compare(quantityOf(b))),
      ),
    ],
  },
  {
    name: "asApproximateFloat",
    overloads: [member("quantity_get_float", [QUANTITY], DOUBLE, ([a]) => Number(quantityOf(a).nanos) / 1e9)],
  },
  {
    name: "asInteger",
    overloads: [
      member(
        "quantity_get_int",
        [QUANTITY],
        INT,
        ([a]) => integerOf(heldIn(a).amount) ?? error("cannot convert value to integer"),
      ),
    ],
  },
  {
    name: "isInteger",
    overloads: [member("quantity_is_integer", [QUANTITY], BOOL, ([a]) => integerOf(heldIn(a).amount) !== undefined)],
  },
  arithmetic("add", (a, b) => quantityValue(a.quantity.plus(b.quantity), plus(a.amount, b.amount))),
  arithmetic("sub", (a, b) => quantityValue(a.quantity.minus(b.quantity), plus(a.amount, negated(b.amount)))),
];

function comparison(name: string, id: string, holds: (order: number) => boolean): FunctionDeclaration {
  return {
    name,
    overloads: [member(id, [QUANTITY, QUANTITY], BOOL, ([a, b]) => holds(quantityOf(a).compare(quantityOf(b))))],
  };
}

function arithmetic(name: "add" | "sub", calculate: (a: Held, b: Held) => Value): FunctionDeclaration {
  return {
    name,
    overloads: [
      member(`quantity_${name}`, [QUANTITY, QUANTITY], QUANTITY, ([a, b]) => calculate(heldIn(a), heldIn(b))),
      member(`quantity_${name}_int`, [QUANTITY, INT], QUANTITY, ([a, b]) =>
        calculate(heldIn(a), heldInteger(b as bigint)),
      ),
    ],
  };
}

function heldInteger(value: bigint): Held {
  return { quantity: Quantity.parse(value.toString()), amount: { value, power: 0 } };
}

function parse(text: string): Value | CelError {
  const quantity = Quantity.tryParse(text);
  return quantity === undefined ? error(complaint(text)) : quantityValue(quantity, amountOf(text));
}

/** Kubernetes says what of the text is wrong. */
function complaint(text: string): string {
  const [, , suffix = ""] = /^([+-]?[0-9]*(?:\.[0-9]*)?)(.*)$/s.exec(text) ?? [];
  const isSuffix = /^[eEinumkKMGTP]*[-+]?[0-9]*$/.test(suffix);
  if (text === "" || !isSuffix)
    return "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
  return "unable to parse quantity's suffix";
}
