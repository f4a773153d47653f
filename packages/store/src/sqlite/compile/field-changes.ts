import { writeJson } from '../engine/json.ts';
import { concat, join, jsonPath, type Sql, sql } from '../engine/sql.ts';
import { type Layout, scalarOf } from '../layout/layout.ts';

/** The most fields that one statement changes: SQL functions take a limited number of arguments. */
const MAX_FIELDS = 32;
/** The most by which one statement raises or lowers a number. */
const MAX_STEP = 2 ** 31;
/** A name that JSON, a path of SQLite and the order of an object's keys treat alike. */
const PLAIN_NAME = /^[A-Za-z_]\w*$/;

/** An update as parts of a statement that makes it on many documents, without reading them. */
export interface FieldChanges {
  /** The assignments to the document and its columns. */
  readonly assignments: Sql;
  /** True for the documents on which the statement does what the update means. */
  readonly guard: Sql;
  /** Whether it assigns to columns, which indexes may be over. */
  readonly hasColumns: boolean;
}

/** The change of one top-level field: the value as JSON, a number to add, or its removal. */
type FieldChange = { readonly name: string } & (
  | { readonly json: string }
  | { readonly add: number }
  | { readonly remove: true }
);

/**
 * The parts of the statement for an update that sets, removes and increments top-level fields; `undefined` for others, and
 * for those that could leave a document as it is, or violate a unique index.
 */
export function fieldChanges(layout: Layout, update: object): FieldChanges | undefined {
  const changes = changesOf(update);
  if (!changes || changes.length > MAX_FIELDS) return undefined;
  const changed = new Map(changes.map((change) => [change.name, change]));
  if (changed.size < changes.length || !changes.every(({ name }) => name !== '_id' && PLAIN_NAME.test(name)))
    return undefined;
  // An update that changes nothing is not written, which a number that is raised rules out.
  if (!changes.some((change) => 'add' in change && change.add !== 0)) return undefined;
  const isUnique = layout.indexes.some(
    ({ unique, keys }) => unique && keys.some(({ path }) => changed.has(firstName(path))),
  );
  if (isUnique) return undefined;
  const columns = [...layout.columns].flatMap(([path, column]): Sql[] => {
    const change = changed.get(firstName(path));
    return change ? [concat(`, ${column} = `, columnValue(change, path))] : [];
  });
  return {
    assignments: concat('doc = ', documentAfter(changes), ...columns),
    guard: join(changes.flatMap(guardOf), ' AND '),
    hasColumns: columns.length > 0,
  };
}

const firstName = (path: string): string => path.split('.', 1)[0] ?? '';

/** The changes in the order in which they are applied; `undefined` when an operator does something else. */
function changesOf(update: object): readonly FieldChange[] | undefined {
  const changes: FieldChange[] = [];
  for (const [operator, fields] of Object.entries(update)) {
    for (const [name, operand] of Object.entries(fields ?? {})) {
      if (operand === undefined) continue;
      if (operator === '$set') changes.push({ name, json: writeJson(operand) });
      else if (operator === '$unset') changes.push({ name, remove: true });
      else if (operator === '$inc' && Number.isInteger(operand) && Math.abs(Number(operand)) < MAX_STEP)
        changes.push({ name, add: Number(operand) });
      else return undefined;
    }
  }
  return changes;
}

/** SQL of the document after changes, which are applied in their order, because new fields are appended. */
function documentAfter(changes: readonly FieldChange[]): Sql {
  return changes.reduce<Sql>((document, change) => {
    const path = jsonPath([change.name]);
    if ('remove' in change) return concat('jsonb_remove(', document, `, ${path})`);
    const value = 'json' in change ? sql('jsonb(?)', change.json) : sum(change.name, change.add);
    return concat('jsonb_set(', document, `, ${path}, `, value, ')');
  }, sql('doc'));
}

/** SQL of a column after a change of the field that it repeats, or that its path enters. */
function columnValue(change: FieldChange, path: string): Sql {
  const inside = path.split('.').slice(1);
  if ('json' in change)
    return sql(inside.length === 0 ? `? ->> '$'` : scalarOf('?', inside.join('.')), change.json);
  if ('remove' in change || inside.length > 0) return sql('NULL');
  return sum(change.name, change.add);
}

/** A parameter that is a number is a floating-point one. */
const sum = (name: string, add: number): Sql => sql(`${scalarOf('doc', name)} + CAST(? AS INTEGER)`, add);

/** Integers are added alike in SQL and in JavaScript, up to a limit. */
function guardOf(change: FieldChange): Sql[] {
  if (!('add' in change)) return [];
  const most = Number.MAX_SAFE_INTEGER - MAX_STEP;
  const value = scalarOf('doc', change.name);
  return [
    sql(`json_type(doc, ${jsonPath([change.name])}) = 'integer' AND ${value} BETWEEN ${-most} AND ${most}`),
  ];
}
