import type { WireField } from './wire-field.ts';

/** Which fields a `google.api.http` rule reads from the path and from the body. */
export interface FieldLayout {
  /** The names of the path variables. */
  readonly variables: ReadonlySet<string>;
  /** `*` when the body is an object of fields, the name of the field that takes the whole body, or empty. */
  readonly bodyField: string;
}

/** The part of a request that a field is read from. `keys`: the field lists the keys of the body. */
export type FieldSource = 'path' | 'header' | 'query' | 'body' | 'whole body' | 'keys';

/** The `body` of a rule whose body is an object of fields. */
export const ALL_FIELDS = '*';

/** The part of a binding's requests that a field is read from. */
export function fieldSourceOf(
  { name, shape, rules }: WireField,
  { variables, bodyField }: FieldLayout,
): FieldSource {
  if (shape.kind === 'present') return 'keys';
  if (variables.has(name)) return 'path';
  if (rules.header !== '') return 'header';
  if (name === bodyField) return 'whole body';
  return bodyField === ALL_FIELDS && !rules.query ? 'body' : 'query';
}
