import type { Condition, Value } from './condition.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * Parses a filter into the conditions that must all hold.
 *
 * @throws TypeError for an operator that the port does not have, and for `undefined`
 */
export function parseFilter(filter: object): Condition[] {
  const conditions: Condition[] = [];
  for (const [key, value] of Object.entries(filter)) {
    if (key === '$and') conditions.push(...list(key, value).flatMap(parseFilter));
    else if (key === '$or') conditions.push(parseOr(list(key, value)));
    else if (key === '$nor') conditions.push({ kind: 'not', condition: parseOr(list(key, value)) });
    else if (key === '$contains') conditions.push(parseContains(value as Json));
    else if (key.startsWith('$')) throw new TypeError(`Not a filter operator: ${key}`);
    else conditions.push(...parseField(key, value));
  }
  return conditions;
}

function list(key: string, value: unknown): readonly object[] {
  if (!Array.isArray(value) || value.length === 0)
    throw new TypeError(`${key} needs a list that is not empty`);
  return value;
}

function parseOr(filters: readonly object[]): Condition {
  const conditions = filters.map((filter): Condition => all(parseFilter(filter)));
  const [only] = conditions;
  return only && conditions.length === 1 ? only : { kind: 'or', conditions };
}

function all(conditions: readonly Condition[]): Condition {
  const [only] = conditions;
  return only && conditions.length === 1 ? only : { kind: 'and', conditions };
}

function parseContains(search: Json): Condition {
  const { paths, term } = search ?? {};
  if (!Array.isArray(paths) || typeof term !== 'string')
    throw new TypeError('$contains needs paths and a term');
  return { kind: 'contains', paths, term: term.toWellFormed() };
}

function parseField(path: string, condition: unknown): Condition[] {
  if (condition === undefined) throw new TypeError(`The condition on ${path} is undefined`);
  if (condition === null || typeof condition !== 'object') return [membership(path, [condition])];
  const operators = Object.entries(condition);
  if (operators.length === 0 || Array.isArray(condition))
    throw new TypeError(`${path} cannot be compared with an object`);
  return operators.map(([operator, operand]) => parseOperator(path, operator, operand));
}

function parseOperator(path: string, operator: string, operand: unknown): Condition {
  if (operand === undefined) throw new TypeError(`The ${operator} of ${path} is undefined`);
  switch (operator) {
    case '$in':
      return membership(path, operand);
    case '$nin':
      return { kind: 'not', condition: membership(path, operand) };
    case '$ne':
      return { kind: 'not', condition: membership(path, [operand]) };
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      return {
        kind: 'test',
        path,
        test: { op: operator.slice(1) as 'gt' | 'gte' | 'lt' | 'lte', value: scalar(path, operand) },
      };
    case '$exists': {
      const exists: Condition = { kind: 'test', path, test: { op: 'exists' } };
      return operand ? exists : { kind: 'not', condition: exists };
    }
    case '$elemMatch':
      return { kind: 'element', path, conditions: parseElementFilter(operand as object) };
    default:
      throw new TypeError(`Not a filter operator: ${operator}`);
  }
}

/** Parses the conditions on one element of an array; the path of the element itself is empty. */
export function parseElementFilter(filter: object): Condition[] {
  const entries = Object.entries(filter);
  if (!entries.some(([key]) => key.startsWith('$'))) return parseFilter(filter);
  return entries.map(([operator, operand]) => parseOperator('', operator, operand));
}

function membership(path: string, operands: unknown): Condition {
  if (!Array.isArray(operands)) throw new TypeError(`The $in of ${path} is not a list`);
  const values = new Set(
    operands.filter((operand) => operand !== null).map((operand) => scalar(path, operand)),
  );
  return { kind: 'test', path, test: { op: 'in', values: [...values], orNull: operands.includes(null) } };
}

function scalar(path: string, value: unknown): Value {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new TypeError(`${path} cannot be compared with ${String(value)}`);
}
