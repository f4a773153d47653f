import type { DescMessage } from '@bufbuild/protobuf';
import { StartupError } from '@steward/rpc';
import type { Profile } from './profile.ts';
import { type Shape, type WireField, wireFields } from './wire-field.ts';

/** Writes a value of a field, or a message, as JSON text. */
export type WriteValue = (value: unknown) => string;

/** Returns the writer of a shape; there is one for each message. */
export type Writers = (shape: Shape) => WriteValue;

const MILLISECONDS_PER_SECOND = 1000;

/**
 * Creates the writers of one dialect. Every field without presence is written, with its default when it is missing, so a
 * plain object with the fields of a message is written like the message; a field with presence is written only when it is
 * set, or as null when it is `nullable`.
 *
 * @throws StartupError from the returned function, for a field that cannot be written
 */
export function createWriters(profile: Profile): Writers {
  const known = new Map<DescMessage, WriteValue>();

  /** Writes the members of a message with a comma before each, so that they can be concatenated. */
  const membersOf = (message: DescMessage): WriteValue => {
    const ready = known.get(message);
    if (ready) return ready;
    // A message may contain itself, so a writer resolves its parts at its first use.
    let write: WriteValue;
    const late: WriteValue = (value) => write(value);
    known.set(message, late);
    write = compileMembers(message, profile, membersOf, writerOf);
    return late;
  };

  const writerOf: Writers = (shape) => {
    switch (shape.kind) {
      case 'string':
        return JSON.stringify;
      case 'json':
        return (text) => (text === '' ? 'null' : (text as string));
      case 'double':
        return (value) => (Number.isFinite(value) ? String(value) : 'null');
      case 'message': {
        const write = membersOf(shape.message);
        return (value) => `{${write(value).slice(1)}}`;
      }
      case 'list':
        // One call for all strings takes a quarter of the time of one for each.
        return shape.item.kind === 'string' ? JSON.stringify : listWriter(writerOf(shape.item));
      case 'map':
        return mapWriter(writerOf(shape.value));
      case 'present':
        throw new StartupError('a field that holds the keys of a request cannot be written');
      default:
        return String;
    }
  };
  return writerOf;
}

/**
 * Compiles the writer of a message's members. Its code is generated as text, because chained closures take
 * nearly twice as long for a page of a list; the text varies only in names from the descriptors, quoted as JSON.
 */
function compileMembers(
  message: DescMessage,
  profile: Profile,
  membersOf: (message: DescMessage) => WriteValue,
  writerOf: Writers,
): WriteValue {
  const helpers: ((value: unknown) => unknown)[] = [];
  const call = (helper: (value: unknown) => unknown, value: string) =>
    `h[${helpers.push(helper) - 1}](${value})`;
  const parts = wireFields(message)
    .filter((field) => !field.rules.created)
    .map((field) => {
      const given = `m[${JSON.stringify(field.localName)}]`;
      const value = field.hasPresence ? given : `(${given}??${defaultOf(field.shape)})`;
      const { shape, rules } = field;
      if (rules.flatten && shape.kind === 'message')
        return `(${value}==null?'':${call(membersOf(shape.message), value)})`;
      const key = `,${JSON.stringify(field.key)}:`;
      const respell = respeller(field, profile);
      const written = respell
        ? call(respell, value)
        : (inlined(field, value, profile) ?? call(writerOf(shape), value));
      const member = `${JSON.stringify(key)}+${written}`;
      if (rules.omitEmpty) return `(${call(isEmpty, value)}?'':${member})`;
      if (!field.hasPresence) return member;
      return `(${value}==null?${JSON.stringify(rules.nullable ? `${key}null` : '')}:${member})`;
    });
  const source = `return (m) => ${["''", ...parts].join('+')};`;
  return new Function('h', 'text', source)(helpers, JSON.stringify);
}

/**
 * The writer of a field whose strings have other spellings in the dialect; `undefined` for any other field.
 *
 * @throws StartupError for a list or a map
 */
function respeller({ name, shape, rules }: WireField, profile: Profile): WriteValue | undefined {
  if (profile === 'native' || rules.compatSpellings.length === 0) return undefined;
  if (shape.kind !== 'string')
    throw new StartupError(`the field '${name}' has compat_spellings and is written as no single string`);
  const compatOf = new Map<unknown, string>(
    rules.compatSpellings.map(({ compat, value }) => [value, compat]),
  );
  return (value) => JSON.stringify(compatOf.get(value) ?? value);
}

/** The code of the default of a field without presence. */
function defaultOf({ kind }: Shape): string {
  switch (kind) {
    case 'list':
      return '[]';
    case 'map':
      return '{}';
    case 'bool':
      return 'false';
    case 'int64':
      return '0n';
    case 'int32':
    case 'uint32':
    case 'double':
      return '0';
    default:
      return "''";
  }
}

/** The code of a value that needs no helper function. */
function inlined({ shape, rules }: WireField, value: string, profile: Profile): string | undefined {
  switch (shape.kind) {
    case 'string':
      return `text(${value})`;
    case 'bool':
      return rules.bit && !(rules.compatBool && profile === 'compat')
        ? `(${value}?1:0)`
        : `(${value}?'true':'false')`;
    case 'int32':
    case 'uint32':
      return value;
    case 'int64':
      return rules.compatSeconds && profile === 'compat' ? `(${value}/${MILLISECONDS_PER_SECOND}n)` : value;
    default:
      return undefined;
  }
}

/** Whether a list or a map is empty. */
function isEmpty(value: unknown): boolean {
  return (Array.isArray(value) ? value : Object.keys(value as object)).length === 0;
}

function listWriter(writeItem: WriteValue): WriteValue {
  return (value) => {
    let items = '';
    for (const item of value as readonly unknown[])
      items += items === '' ? writeItem(item) : `,${writeItem(item)}`;
    return `[${items}]`;
  };
}

function mapWriter(writeItem: WriteValue): WriteValue {
  return (value) => {
    let members = '';
    for (const [key, item] of Object.entries(value as object))
      members += `${members === '' ? '' : ','}${JSON.stringify(key)}:${writeItem(item)}`;
    return `{${members}}`;
  };
}
