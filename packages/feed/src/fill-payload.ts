import {
  type DescField,
  type DescMessage,
  type DescMethod,
  getOption,
  hasOption,
  isFieldSet,
  type Message,
} from '@bufbuild/protobuf';
import { FieldMaskSchema, FeatureSet_FieldPresence as FieldPresence } from '@bufbuild/protobuf/wkt';
import { field as fieldOption } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { isFlattened } from '@steward/rpc';
import type { EventType } from './event-types.ts';
import { payloadRules } from './payload-rules.ts';
import { type PayloadValues, writePayload } from './write-payload.ts';

/** Returns the payload of the event that a call makes, as JSON. `reported` are the values that the handler knows. */
export type FillPayload = (request: Message, answer: Message, reported?: PayloadValues) => string;

/** Reads a value from a request and its answer; `undefined` if neither has it. */
type Read = (request: Message, answer: Message) => unknown;

/**
 * Compiles how the payload of a type of events is filled from the calls of a method.
 *
 * @param pathFields the fields of a request that its path contains, which are not changed by it
 * @param isFirst whether the method makes events of this type without a report of its handler
 * @throws TypeError when a field of the payload has no source, or a secret one
 */
export function payloadFiller(
  method: DescMethod,
  { type, payload }: EventType,
  pathFields: ReadonlySet<DescField>,
  isFirst: boolean,
): FillPayload {
  const readers = payload.fields.map((field): readonly [string, Read] => {
    const rules = payloadRules(field);
    if (rules.truncated) return [field.localName, () => undefined];
    if (rules.changed) return [field.localName, changedFields(method.input, pathFields)];
    const isRequired = field.presence === FieldPresence.IMPLICIT;
    const requested = rules.from.flatMap((name) => sourceIn(method.input, name)).map(readRequest);
    // What a request may leave out is taken from the answer only for a field that always has a value.
    const answered =
      requested.length > 0 && !isRequired
        ? []
        : rules.from.flatMap((name) => sourceIn(method.output, name)).map(readAnswer);
    const sources = [...requested, ...answered];
    if (sources.length === 0 && isRequired && isFirst && !rules.reported)
      throw new TypeError(`No field of ${method.name} fills the field ${field.name} of ${type}`);
    return [field.localName, first(sources)];
  });
  return (request, answer, reported = {}) => {
    const values: Record<string, unknown> = {};
    for (const [name, read] of readers) values[name] = reported[name] ?? read(request, answer);
    return writePayload(payload, values);
  };
}

/** A field of a message, and those of the messages in which it is. */
type Source = readonly DescField[];

/** The field that a name means: one of the message, of a nested one before a dot, or of one whose fields stand for it. */
function sourceIn(schema: DescMessage, name: string): readonly Source[] {
  const [head = '', ...rest] = name.split('.');
  const found = schema.fields.find((field) => field.name === head);
  if (found) {
    if (rest.length === 0) {
      if (found.proto.options?.debugRedact) throw new TypeError(`${schema.typeName}.${name} is secret`);
      return found.message && found.fieldKind === 'message' ? [] : [[found]];
    }
    if (found.fieldKind !== 'message') return [];
    return sourceIn(found.message, rest.join('.')).map((source) => [found, ...source]);
  }
  return schema.fields.flatMap((field) =>
    isFlattened(field) ? sourceIn(field.message, name).map((source) => [field, ...source]) : [],
  );
}

function readRequest(source: Source): Read {
  const last = source.at(-1);
  return (request) => {
    const holder = holderOf(request, source);
    return holder && last && isFieldSet(holder, last) ? fieldOf(holder, last) : undefined;
  };
}

/** Answers may be plain objects, whose unset fields are missing. */
function readAnswer(source: Source): Read {
  const last = source.at(-1);
  return (_, answer) => {
    const holder = holderOf(answer, source);
    return holder && last ? fieldOf(holder, last) : undefined;
  };
}

/** The message that has the last field of a source; `undefined` if there is none. */
function holderOf(message: Message, source: Source): Message | undefined {
  let holder: Message | undefined = message;
  for (const field of source.slice(0, -1)) holder = holder && (fieldOf(holder, field) as Message | undefined);
  return holder;
}

function first(sources: readonly Read[]): Read {
  return (request, answer) => {
    for (const read of sources) {
      const value = read(request, answer);
      if (value !== undefined) return value;
    }
    return undefined;
  };
}

/** The names of the fields that the body of a request contains. */
function changedFields({ fields }: DescMessage, pathFields: ReadonlySet<DescField>): Read {
  const present = fields.find(({ message }) => message?.typeName === FieldMaskSchema.typeName);
  const inBody = fields.filter((field) => field !== present && !pathFields.has(field));
  if (present) {
    const names = new Set(inBody.map(({ name }) => name));
    return (request) => {
      const mask = fieldOf(request, present) as { readonly paths: readonly string[] } | undefined;
      return (mask?.paths ?? []).filter((name) => names.has(name));
    };
  }
  // A field that a request must contain may be null in it, and is then unset.
  return (request) =>
    inBody.filter((field) => isMandatory(field) || isFieldSet(request, field)).map(({ name }) => name);
}

function isMandatory(field: DescField): boolean {
  return hasOption(field, fieldOption) && getOption(field, fieldOption).onMissing !== '';
}

function fieldOf(message: Message, field: DescField): unknown {
  return (message as unknown as Readonly<Record<string, unknown>>)[field.localName];
}
