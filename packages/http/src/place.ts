import type { WireField } from './wire-field.ts';

/** What a `google.api.http` rule says of the places in which fields are found. */
export interface Placement {
  /** The names of the path variables. */
  readonly variables: ReadonlySet<string>;
  /** `*` for an object of fields, the name of the one field that takes it all, or empty. */
  readonly bodyField: string;
}

/** Where a field of a request is found. `keys`: it says which keys the body has. */
export type Place = 'path' | 'header' | 'query' | 'body' | 'whole body' | 'keys';

/** The `body` of a rule by which an object of fields is read. */
export const ALL_FIELDS = '*';

/** Where a field is found in requests of a binding. */
export function placeOf({ name, shape, rules }: WireField, { variables, bodyField }: Placement): Place {
  if (shape.kind === 'present') return 'keys';
  if (variables.has(name)) return 'path';
  if (rules.header !== '') return 'header';
  if (name === bodyField) return 'whole body';
  return bodyField === ALL_FIELDS && !rules.query ? 'body' : 'query';
}
