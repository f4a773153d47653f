import type { Document } from 'mongodb';
import { gramsOf, gramsPath } from './grams.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The operators of an update, each with what it does to which path. */
type Operators = Map<string, Fields>;

/**
 * The server's form of an update, which also keeps the grams of search fields. These must be known
 * from the update alone, so that such a field is set or removed as a whole and in no other way.
 *
 * @param filter of an upsert: what it equals goes into the document that is inserted
 * @throws TypeError when a search field is changed by another operator
 */
export function translateUpdate(update: object, search: readonly string[], filter: object = {}): Document {
  const operators: Operators = new Map();
  for (const [operator, fields] of Object.entries(update)) {
    for (const [path, operand] of Object.entries(fields ?? {})) {
      if (operand === undefined) continue;
      // FerretDB counts a push of nothing as a change, and creates no array for it. An empty array is
      // smaller than any other, so that this one leaves those alone, and it creates what is missing.
      if (appendsNothing(operator, operand)) put(operators, '$max', path, []);
      else put(operators, operator, path, operand);
    }
  }
  for (const field of search) keepGrams(operators, field, filter);
  // The driver refuses an update without operators; this one changes nothing.
  return operators.size === 0 ? { $set: {} } : Object.fromEntries(operators);
}

function keepGrams(operators: Operators, field: string, filter: object): void {
  for (const [operator, fields] of operators) {
    if (!Object.hasOwn(fields, field)) continue;
    const text = fields[field];
    if (operator !== '$set' && operator !== '$setOnInsert' && operator !== '$unset')
      throw new TypeError(`${operator} does not change ${field}, which is searched in: set it`);
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

/** What a filter says that a field equals. */
function equalTo(filter: object, field: string): unknown {
  const { [field]: value, $and = [] } = filter as Fields & { readonly $and?: readonly object[] };
  return value ?? $and.map((part) => equalTo(part, field)).find((found) => found !== undefined);
}
