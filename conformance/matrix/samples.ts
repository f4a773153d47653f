import {
  create,
  type DescField,
  type DescMessage,
  type Message,
  type MessageInitShape,
  ScalarType,
} from '@bufbuild/protobuf';
import type { RequestField } from '@steward/rpc';

/** Ids of what exists on no server of a test, so that an admitted call changes nothing. */
const ABSENT: Readonly<Record<string, string>> = {
  user_id: '@absent:elsewhere.test',
  room_id: '!absent:elsewhere.test',
  room_id_or_alias: '!absent:elsewhere.test',
  event_id: '$absent',
};

/** An id for a path variable or a field of its name. */
export function absentId(name: string): string {
  return ABSENT[name] ?? 'absent';
}

/** How the fields of a sample are named: as in JSON, or as in messages. */
type Naming = 'name' | 'localName';

/** A value of a field that is not its default. */
export function sampleOf(field: DescField, naming: Naming): unknown {
  if (field.fieldKind === 'list') return [field.message ? objectOf(field.message, naming) : 'absent'];
  if (field.fieldKind === 'message') return objectOf(field.message, naming);
  if (field.fieldKind !== 'scalar') throw new Error(`${field} has no sample`);
  return field.scalar === ScalarType.BOOL ? true : absentId(field.name);
}

/** A request of a method, with ids of what does not exist, and one field set. */
export function messageOf(schema: DescMessage, set?: RequestField): Message {
  const texts = schema.fields.filter((field) => field.name in ABSENT && isText(field));
  const init: Record<string, unknown> = Object.fromEntries(
    texts.map((field) => [field.localName, absentId(field.name)]),
  );
  if (set) {
    let holder: Record<string, unknown> = init;
    for (const { localName } of set.within) {
      const inner = {};
      holder[localName] = inner;
      holder = inner;
    }
    holder[set.field.localName] = sampleOf(set.field, 'localName');
  }
  return create(schema, init as MessageInitShape<typeof schema>);
}

function objectOf({ fields }: DescMessage, naming: Naming): Readonly<Record<string, string>> {
  return Object.fromEntries(fields.filter(isText).map((field) => [field[naming], 'absent']));
}

function isText(field: DescField): boolean {
  return field.fieldKind === 'scalar' && field.scalar === ScalarType.STRING;
}
