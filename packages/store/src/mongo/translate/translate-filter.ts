import type { Document } from 'mongodb';
import { gramsOf, gramsPath } from '../search/grams.ts';

/** The most grams of one term in a query; more of them exclude hardly any document. */
const MAX_GRAMS = 32;

const OPERATORS = new Set(['$in', '$nin', '$ne', '$gt', '$gte', '$lt', '$lte', '$exists', '$elemMatch']);

/**
 * The server's form of a filter: the same, but for `$contains`.
 *
 * @throws TypeError for `undefined`, which the driver would ignore, and for operators that the port does not have
 */
export function translateFilter(filter: object): Document {
  const conditions: Document = {};
  const searches: Document[] = [];
  for (const [key, value] of Object.entries(filter)) {
    if (key === '$and' || key === '$or' || key === '$nor') {
      if (!Array.isArray(value) || value.length === 0)
        throw new TypeError(`${key} needs a list that is not empty`);
      conditions[key] = value.map(translateFilter);
    } else if (key === '$contains') searches.push(translateSearch(value));
    else if (key.startsWith('$')) throw new TypeError(`Not a filter operator: ${key}`);
    else {
      checkCondition(key, value);
      conditions[key] = value;
    }
  }
  const [search] = searches;
  return search
    ? { $and: [...(Object.keys(conditions).length > 0 ? [conditions] : []), search] }
    : conditions;
}

/** Whether a filter searches inside strings, which can take long. */
export function isSearch(filter: object): boolean {
  return Object.entries(filter).some(
    ([key, value]) =>
      key === '$contains' || (Array.isArray(value) && key.startsWith('$') && value.some(isSearch)),
  );
}

function translateSearch({ paths, term }: { paths: readonly string[]; term: string }): Document {
  // The servers end a regular expression at a NUL, so it is escaped.
  const pattern = term.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&').replaceAll('\0', '\\x00');
  const grams = gramsOf(term).slice(0, MAX_GRAMS);
  const alternatives = paths.map((path) => ({
    ...(grams.length > 0 ? { [gramsPath(path)]: { $all: grams } } : {}),
    [path]: { $regex: pattern },
  }));
  const [only] = alternatives;
  return only && alternatives.length === 1 ? only : { $or: alternatives };
}

function checkCondition(path: string, condition: unknown): void {
  if (condition === undefined) throw new TypeError(`The condition on ${path} is undefined`);
  if (condition === null || typeof condition !== 'object') return;
  const operators = Object.entries(condition);
  if (operators.length === 0 || Array.isArray(condition))
    throw new TypeError(`${path} cannot be compared with an object`);
  for (const [operator, operand] of operators) checkOperator(path, operator, operand);
}

function checkOperator(path: string, operator: string, operand: unknown): void {
  if (!OPERATORS.has(operator)) throw new TypeError(`Not a filter operator: ${operator}`);
  if (operand === undefined || (Array.isArray(operand) && operand.includes(undefined)))
    throw new TypeError(`The ${operator} of ${path} is undefined`);
  if (operator !== '$elemMatch') return;
  for (const [key, value] of Object.entries(operand as object)) {
    if (key.startsWith('$')) checkOperator(path, key, value);
    else checkCondition(`${path}.${key}`, value);
  }
}
