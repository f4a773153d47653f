import { create, type DescMessage } from '@bufbuild/protobuf';
import { FieldMaskSchema } from '@bufbuild/protobuf/wkt';
import { NullValue } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { Flaw, WRONG } from './flaw.ts';
import type { Json } from './json-body.ts';
import { BODY_ON_TYPE, compileValue, type ObjectReaders, type ReadObject } from './read-value.ts';
import type { Fields, Step } from './step.ts';
import { nounOf } from './value-rules.ts';
import { type WireField, wireFields } from './wire-field.ts';

const NO_PARAMETERS = new Map<string, never>();

/**
 * Makes the step that reads a field from a key of the body.
 *
 * @throws StartupError for a field of a nested message that cannot be read
 */
export function bodyStep(field: WireField, objectOf: ObjectReaders): Step {
  const { key, localName, name, rules, shape } = field;
  const read = compileValue(shape, rules, objectOf);
  const missing = rules.onMissing === '' ? undefined : new Flaw(rules.onMissing, key, 'is missing');
  const wrong = new Flaw(rules.onType || BODY_ON_TYPE, key, `must be ${nounOf(shape)}`);
  const readNull = (present: string[]): Flaw | undefined => {
    if (rules.null === NullValue.ABSENT) return missing;
    present.push(name);
    return undefined;
  };
  return {
    key,
    from: 'body',
    run({ body }, into, present) {
      if (!Object.hasOwn(body, key)) return missing;
      const json = body[key] as Json;
      if (json === null && rules.null !== NullValue.REFUSED) return readNull(present);
      const value = json === null && !rules.truthy ? WRONG : read(json);
      if (value === WRONG) return rules.lenient ? readNull(present) : wrong;
      if (value instanceof Flaw) return value.inside(key);
      into[localName] = value;
      present.push(name);
      return undefined;
    },
  };
}

/** Makes the step that takes the whole body as the JSON text of a field. */
export function wholeBodyStep({ key, localName, name }: WireField): Step {
  return {
    key,
    from: 'body',
    run({ body }, into, present) {
      into[localName] = JSON.stringify(body);
      present.push(name);
      return undefined;
    },
  };
}

/** Puts the names of the fields that the body has into the message, where a field asks for them. */
export function recordPresent(mask: WireField | undefined, into: Fields, paths: string[]): void {
  if (mask) into[mask.localName] = create(FieldMaskSchema, { paths });
}

/**
 * Makes the readers of nested messages, one a message. Messages may hold themselves: such a reader
 * finds its parts when it is first used.
 *
 * @throws StartupError from what it returns, for a field that cannot be read
 */
export function objectReaders(): ObjectReaders {
  const readers = new Map<DescMessage, ReadObject>();
  const objectOf: ObjectReaders = (message) => {
    const known = readers.get(message);
    if (known) return known;
    let read: ReadObject;
    const late: ReadObject = (body, into) => read(body, into);
    readers.set(message, late);
    read = compileObject(message, objectOf);
    return late;
  };
  return objectOf;
}

function compileObject(message: DescMessage, objectOf: ObjectReaders): ReadObject {
  const fields = wireFields(message);
  const mask = fields.find((field) => field.shape.kind === 'present');
  const steps = fields.filter((field) => field !== mask).map((field) => bodyStep(field, objectOf));
  return (body, into) => {
    const present: string[] = [];
    const source = { body, query: NO_PARAMETERS, headers: {} };
    for (const step of steps) {
      const flaw = step.run(source, into, present);
      if (flaw) return flaw;
    }
    recordPresent(mask, into, present);
    return undefined;
  };
}
