import { compareCodePoints } from '@steward/kernel';
import type { Condition, Test } from '../plan/condition.ts';
import { parseElementFilter } from '../plan/parse-filter.ts';

/** A document or a part of one, which is changed in place. */
export type Fields = Record<string, unknown>;

type Operator = (parent: Fields, name: string, operand: unknown) => void;

const operators: Readonly<Record<string, Operator>> = {
  $set: assign,
  $setOnInsert: assign,
  $unset: (parent, name) => {
    delete parent[name];
  },
  $inc: (parent, name, operand) => {
    const value = parent[name] === undefined ? 0 : parent[name];
    if (typeof value !== 'number' || typeof operand !== 'number')
      throw new TypeError(`$inc needs numbers in ${name}`);
    parent[name] = value + operand;
  },
  $min: (parent, name, operand) => {
    if (parent[name] === undefined || compareScalars(operand, parent[name]) < 0) parent[name] = operand;
  },
  $max: (parent, name, operand) => {
    if (parent[name] === undefined || compareScalars(operand, parent[name]) > 0) parent[name] = operand;
  },
  $push: (parent, name, operand) => {
    parent[name] = [...arrayIn(parent, name), ...several(operand)];
  },
  $addToSet: (parent, name, operand) => {
    const elements = [...arrayIn(parent, name)];
    const held = new Set(elements.map((element) => JSON.stringify(element)));
    for (const element of several(operand)) {
      const written = JSON.stringify(element);
      if (!held.has(written)) elements.push(element);
      held.add(written);
    }
    parent[name] = elements;
  },
  $pull: (parent, name, operand) => {
    if (parent[name] === undefined) return;
    const pulled = matcher(operand);
    parent[name] = arrayIn(parent, name).filter((element) => !pulled(element));
  },
};

/** Operators that do nothing where the field is missing. */
const LEAVES_MISSING = new Set(['$unset', '$pull']);

/**
 * Applies the operators of an update to a document, in place.
 *
 * @throws TypeError when an operator does not fit the value of the document, which is then partly changed
 */
export function applyUpdate(document: Fields, update: object, options: { inserting: boolean }): void {
  const paths: string[] = [];
  for (const [operator, fields] of Object.entries(update)) {
    const apply = operators[operator];
    if (!apply) throw new TypeError(`Not an update operator: ${operator}`);
    for (const [path, operand] of Object.entries(fields ?? {})) {
      if (operand === undefined) continue;
      paths.push(path);
      if (operator === '$setOnInsert' && !options.inserting) continue;
      if (path === '_id' && !options.inserting) throw new TypeError('The _id of a document does not change');
      const names = path.split('.');
      const last = names.pop() ?? '';
      const parent = parentOf(document, names, { create: !LEAVES_MISSING.has(operator) });
      if (parent) apply(parent, last, operand);
    }
  }
  refuseOverlaps(paths);
}

/** Sets a value at a dotted path. */
export function setPath(document: Fields, path: string, value: unknown): void {
  applyUpdate(document, { $set: { [path]: value } }, { inserting: true });
}

function refuseOverlaps(paths: readonly string[]): void {
  if (paths.length < 2) return;
  const seen = new Set<string>();
  for (const path of paths) {
    if (seen.has(path)) throw new TypeError(`The update names ${path} twice`);
    seen.add(path);
  }
  for (const path of paths) {
    for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
      if (seen.has(path.slice(0, dot))) throw new TypeError(`The update names ${path} and its parent`);
    }
  }
}

function parentOf(
  document: Fields,
  names: readonly string[],
  options: { create: boolean },
): Fields | undefined {
  let parent = document;
  for (const name of names) {
    let next = parent[name];
    if (next === undefined) {
      if (!options.create) return undefined;
      next = {};
      parent[name] = next;
    }
    if (!isFields(next)) {
      if (!options.create) return undefined;
      throw new TypeError(`${name} is not an object that could hold a field`);
    }
    parent = next;
  }
  return parent;
}

function assign(parent: Fields, name: string, operand: unknown): void {
  parent[name] = operand;
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function arrayIn(parent: Fields, name: string): readonly unknown[] {
  const value = parent[name];
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new TypeError(`${name} is not an array`);
  return value;
}

function several(operand: unknown): readonly unknown[] {
  return isFields(operand) && Array.isArray(operand.$each) ? operand.$each : [operand];
}

/** Null is smallest; then by number, or by code point. */
function compareScalars(a: unknown, b: unknown): number {
  if (a === null || b === null) return Number(b === null) - Number(a === null);
  if (typeof a === 'string' && typeof b === 'string') return compareCodePoints(a, b);
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  throw new TypeError(`${typeof a} and ${typeof b} are not compared`);
}

function matcher(operand: unknown): (element: unknown) => boolean {
  if (!isFields(operand)) return (element) => element === operand;
  const conditions = parseElementFilter(operand);
  return (element) => conditions.every((condition) => matches(element, condition));
}

function matches(element: unknown, condition: Condition): boolean {
  if (condition.kind === 'not') return !matches(element, condition.condition);
  if (condition.kind !== 'test') throw new TypeError(`$pull does not know ${condition.kind}`);
  let value = element;
  for (const name of condition.path === '' ? [] : condition.path.split('.')) {
    value = isFields(value) ? value[name] : undefined;
  }
  // A condition on a field never matches a scalar element, not even a condition that the field is missing.
  if (condition.path !== '' && !isFields(element)) return false;
  return passes(value, condition.test);
}

function passes(value: unknown, test: Test): boolean {
  if (test.op === 'exists') return value !== undefined;
  if (value === undefined || value === null) return test.op === 'in' && test.orNull;
  const scalar = typeof value === 'boolean' ? Number(value) : value;
  if (typeof scalar !== 'string' && typeof scalar !== 'number') return false;
  if (test.op === 'in') return test.values.includes(scalar);
  const order = typeof scalar === typeof test.value ? compareScalars(scalar, test.value) : Number.NaN;
  switch (test.op) {
    case 'gt':
      return order > 0;
    case 'gte':
      return order >= 0;
    case 'lt':
      return order < 0;
    case 'lte':
      return order <= 0;
  }
}
