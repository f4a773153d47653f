/** Records: what an export writes and an import reads of what a service stores. */

export { hourCountsKind, ofAggregate, stillToDo } from './common-kinds.ts';
export {
  type Field,
  type Fields,
  type FieldsOf,
  flag,
  id,
  inner,
  jsonText,
  list,
  mark,
  nullable,
  numbers,
  object,
  oneOf,
  optional,
  text,
  whole,
} from './field.ts';
export { type FurtherFields, furtherFields } from './further-fields.ts';
export { parseRecord } from './parse-record.ts';
export { type RecordKind, recordKind } from './record-kind.ts';
export { recordsRoute } from './records-route.ts';
export { isStorable, withoutControls } from './text.ts';
