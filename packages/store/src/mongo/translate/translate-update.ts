import type { Document } from 'mongodb';
import { gramsOf, gramsPath } from '../search/grams.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The operators of an update, each with its operands by path. */
type Operators = Map<string, Fields>;

/**
 * The server's form of an update, which also updates the grams of search fields. The grams must follow from the update
 * alone, so that such a field can only be set or removed as a whole.
 *
 * @param filter the filter of an upsert, whose equalities become part of the inserted document
 * @throws TypeError when another operator changes a search field
 */
export function translateUpdate(update: object, search: readonly string[], filter: object = {}): Document {
  const operators: Operators = new Map();
  for (const [operator, fields] of Object.entries(update)) {
    for (const [path, operand] of Object.entries(fields ?? {})) {
      if (operand === undefined) continue;
      // FerretDB counts a push of no elements as a change, and does not create the array. `$max` with an empty array,
      // which is smaller than any other, creates a missing array and leaves others as they are.
      if (appendsNothing(operator, operand)) put(operators, '$max', path, []);
      else put(operators, operator, path, operand);
    }
  }
  for (const field of search) keepGrams(operators, field, filter);
  // The driver refuses an update without operators. `$set` of nothing changes nothing.
  return operators.size === 0 ? { $set: {} } : Object.fromEntries(operators);
}

function keepGrams(operators: Operators, field: string, filter: object): void {
  for (const [operator, fields] of operators) {
    if (!Object.hasOwn(fields, field)) continue;
    const text = fields[field];
    if (operator !== '$set' && operator !== '$setOnInsert' && operator !== '$unset')
      throw new TypeError(`${operator} cannot change ${field}, which is a search field: use $set`);
    if (operator !== '$unset' && typeof text === 'string')
      put(operators, operator, gramsPath(field), gramsOf(text));
    else if (operator !== '$setOnInsert') put(operators, '$unset', gramsPath(field), true);
    return;
  }
  const text = equalTo(filter, field);
  if (typeof text === 'string') put(operators, '$setOnInsert', gramsPath(field), gramsOf(text));
}

function appendsNothing(operator: string, operand: unknown): boolean {
  if (operator !== '$push' && operator !== '$addToSet') return false;
  const { $each } = Object(operand);
  return Array.isArray($each) && $each.length === 0;
}

function put(operators: Operators, operator: string, path: string, operand: unknown): void {
  operators.set(operator, { ...operators.get(operator), [path]: operand });
}

/** The value that a filter requires of a field. */
function equalTo(filter: object, field: string): unknown {
  const { [field]: value, $and = [] } = filter as Fields & { readonly $and?: readonly object[] };
  return value ?? $and.map((part) => equalTo(part, field)).find((found) => found !== undefined);
}
