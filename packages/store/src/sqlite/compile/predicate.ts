import { concat, join, jsonPath, type Sql, sql } from '../engine/sql.ts';
import { type Layout, valueAt } from '../layout/layout.ts';
import type { Condition, Test } from '../plan/condition.ts';

/** How a predicate is used. */
export interface PredicateOptions {
  /** Whether it tests many rows: searches then walk their own index instead of reading documents. */
  readonly many: boolean;
}

/** False. A parameter, because SQLite folds a constant, and with it the conditions that an index was chosen for. */
const NEVER = sql('?', 0);

/** What paths are relative to: the row, or an element of an array, by the name that it has in `json_each`. */
type Base = { readonly element: string; readonly depth: number } | undefined;

/** SQL that is true for the rows that satisfy all conditions, and false or null for the others. */
export function predicate(layout: Layout, conditions: readonly Condition[], options: PredicateOptions): Sql {
  const compile = (condition: Condition, base: Base): Sql => {
    switch (condition.kind) {
      case 'and':
        return compileAll(condition.conditions, base);
      case 'or':
        return concat(
          '(',
          join(
            condition.conditions.map((one) => compile(one, base)),
            ' OR ',
            '0',
          ),
          ')',
        );
      case 'not':
        return concat('(', compile(condition.condition, base), ') IS NOT TRUE');
      case 'contains':
        return contains(layout, condition, options);
      case 'element':
        return withElements(jsonOf(base), condition.path, base, (element) => {
          const found = compileAll(condition.conditions, element);
          return condition.conditions.some(isScalarTest) ? found : ifObject(element, found);
        });
      case 'test':
        return compileTest(layout, condition.path, condition.test, base);
    }
  };
  const compileAll = (all: readonly Condition[], base: Base): Sql =>
    concat(
      '(',
      join(
        all.map((one) => compile(one, base)),
        ' AND ',
        '1',
      ),
      ')',
    );
  return compileAll(conditions, undefined);
}

/** SQL that tests a scalar; null for null, unless the test includes null. */
export function testScalar(value: string, test: Test): Sql {
  switch (test.op) {
    case 'gt':
      return sql(`${value} > ?`, test.value);
    case 'gte':
      return sql(`${value} >= ?`, test.value);
    case 'lt':
      return sql(`${value} < ?`, test.value);
    case 'lte':
      return sql(`${value} <= ?`, test.value);
    case 'exists':
      return sql(`${value} IS NOT NULL`);
    case 'in': {
      const [first] = test.values;
      const none = test.orNull ? sql(`${value} IS NULL`) : NEVER;
      if (first === undefined) return none;
      const some =
        test.values.length === 1
          ? sql(`${value} = ?`, first)
          : sql(`${value} IN (SELECT value FROM json_each(?))`, JSON.stringify(test.values));
      return test.orNull ? concat('(', some, ' OR ', none, ')') : some;
    }
  }
}

/** Whether a condition on an element tests the element itself, and not a field of it. */
function isScalarTest(condition: Condition): boolean {
  return condition.kind === 'not'
    ? isScalarTest(condition.condition)
    : 'path' in condition && condition.path === '';
}

const jsonOf = (base: Base) => (base ? `${base.element}.value` : 'doc');

function compileTest(layout: Layout, path: string, test: Test, base: Base): Sql {
  if (base && path === '') return testElement(base.element, test);
  const names = path.split('.');
  if (!base && layout.columns.has(path)) {
    return test.op === 'exists'
      ? sql(`json_type(doc, ${jsonPath(names)}) IS NOT NULL`)
      : testScalar(valueAt(layout, path), test);
  }
  return testPath(jsonOf(base), names, test, base);
}

/** Tests a path of which every part can be an array, as MongoDB does. */
function testPath(json: string, names: readonly string[], test: Test, base: Base): Sql {
  const whole = jsonPath(names);
  let found =
    test.op === 'exists'
      ? sql(`json_type(${json}, ${whole}) IS NOT NULL`)
      : concat(
          `CASE json_type(${json}, ${whole}) WHEN 'array' THEN `,
          withElements(json, names.join('.'), base, (element) => testElement(element.element, test)),
          ' ELSE ',
          testScalar(`(${json} ->> ${whole})`, test),
          ' END',
        );
  for (let length = names.length - 1; length > 0; length--) {
    const array = names.slice(0, length);
    found = concat(
      `CASE json_type(${json}, ${jsonPath(array)}) WHEN 'array' THEN `,
      withElements(json, array.join('.'), base, (element) =>
        ifObject(element, testPath(jsonOf(element), names.slice(length), test, element)),
      ),
      ' ELSE ',
      found,
      ' END',
    );
  }
  return found;
}

function testElement(element: string, test: Test): Sql {
  // `atom` is null for objects and arrays as well as for null.
  if (test.op !== 'in' || !test.orNull) return testScalar(`${element}.atom`, test);
  const values = testScalar(`${element}.atom`, { ...test, orNull: false });
  return concat('(', values, ` OR ${element}.type = 'null')`);
}

/** Guards SQL that reads inside an element, because the text of a scalar is not JSON. SQLite fixes the order of `CASE`, not that of `AND`. */
const ifObject = ({ element }: NonNullable<Base>, test: Sql): Sql =>
  concat(`CASE ${element}.type WHEN 'object' THEN `, test, ' END');

/** SQL that is true when the path holds an array with an element that passes. */
function withElements(
  json: string,
  path: string,
  base: Base,
  test: (element: NonNullable<Base>) => Sql,
): Sql {
  const depth = (base?.depth ?? 0) + 1;
  const element = `e${depth}`;
  const at = jsonPath(path.split('.'));
  return concat(
    `(json_type(${json}, ${at}) = 'array' AND EXISTS (SELECT 1 FROM json_each(${json}, ${at}) ${element} WHERE `,
    test({ element, depth }),
    '))',
  );
}

function contains(
  layout: Layout,
  { paths, term }: Extract<Condition, { kind: 'contains' }>,
  options: PredicateOptions,
): Sql {
  const found = join(
    paths.map((path) => sql(`instr(${valueAt(layout, path)}, ?) > 0`, term)),
    ' OR ',
    '0',
  );
  const [path] = paths;
  const shared = paths.length === 1 && path !== undefined ? layout.shared.get(path) : undefined;
  if (options.many && shared) {
    const values = sql(`(SELECT value FROM ${shared.table} WHERE instr(value, ?) > 0)`, term);
    return concat(`(${valueAt(layout, shared.path)} IN `, values, ')');
  }
  if (!options.many || !layout.search) return concat('(', found, ')');
  return concat(`n IN (SELECT n FROM ${layout.table} INDEXED BY ${layout.search.index} WHERE `, found, ')');
}
