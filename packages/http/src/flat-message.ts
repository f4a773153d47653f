import { create, type DescMessage, type Message } from '@bufbuild/protobuf';
import type { Fields } from './step.ts';
import { type WireField, wireFields } from './wire-field.ts';

interface Flattened {
  readonly localName: string;
  readonly inner: DescMessage;
}

const known = new WeakMap<DescMessage, readonly Flattened[]>();

/** Creates a message in which the flattened messages are present, so that their fields can be read into them. */
export function createFlat(desc: DescMessage): Message {
  const message = create(desc);
  fillFlat(desc, message as unknown as Fields);
  return message;
}

/** Adds the flattened messages that a message lacks, as empty ones. */
export function fillFlat(desc: DescMessage, message: Fields): void {
  for (const { localName, inner } of flattenedIn(desc)) message[localName] ??= createFlat(inner);
}

/** The properties of a message that hold flattened ones. They are found once, because each request is asked for them. */
function flattenedIn(desc: DescMessage): readonly Flattened[] {
  let flattened = known.get(desc);
  if (!flattened) {
    flattened = wireFields(desc).flatMap(({ localName, rules, shape }) =>
      rules.flatten && shape.kind === 'message' ? [{ localName, inner: shape.message }] : [],
    );
    known.set(desc, flattened);
  }
  return flattened;
}

/** A step that reads a field, for a message in whose flattened messages the field may be. */
export function placed<S extends { run(source: never, into: Fields, present: string[]): unknown }>(
  step: S,
  { within }: WireField,
): S {
  if (within.length === 0) return step;
  const run: S['run'] = (source, into, present) => step.run(source, holderOf(into, within), present);
  return { ...step, run };
}

/** The message, among those flattened into another one, that has a field. */
export function holderOf(message: Fields, within: readonly string[]): Fields {
  return within.reduce((holder, localName) => (holder[localName] ?? {}) as Fields, message);
}
