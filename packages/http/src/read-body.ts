import { create, type DescMessage } from '@bufbuild/protobuf';
import { FieldMaskSchema } from '@bufbuild/protobuf/wkt';
import { NullValue } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { placed } from './flat-message.ts';
import type { Json } from './json-body.ts';
import { BODY_ON_TYPE, compileValue, type ObjectReaders, type ReadObject } from './read-value.ts';
import type { Fields, Step } from './step.ts';
import { nounOf } from './value-rules.ts';
import { Violation, WRONG } from './violation.ts';
import { flatFields, type WireField } from './wire-field.ts';

const NO_PARAMETERS = new Map<string, never>();

/**
 * Compiles the step that reads a field from a key of the body.
 *
 * @throws StartupError for a field of a nested message that cannot be read
 */
export function bodyStep(field: WireField, objectOf: ObjectReaders): Step {
  const { key, localName, name, rules, shape } = field;
  const read = compileValue(shape, rules, objectOf);
  const missing = rules.onMissing === '' ? undefined : new Violation(rules.onMissing, key, 'is missing');
  const wrong = new Violation(rules.onType || BODY_ON_TYPE, key, `must be ${nounOf(shape)}`);
  const readNull = (present: string[]): Violation | undefined => {
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
      if (value instanceof Violation) return value.inside(key);
      into[localName] = value;
      present.push(name);
      return undefined;
    },
  };
}

/** Compiles the step that takes the whole body as the JSON text of a field. */
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

/** Sets the names of the fields that the body has, if the message has a field for them. */
export function recordPresent(mask: WireField | undefined, into: Fields, paths: string[]): void {
  if (mask) into[mask.localName] = create(FieldMaskSchema, { paths });
}

/**
 * Compiles the readers of nested messages, one for each message. A message may contain itself, so a reader
 * resolves its parts at its first use.
 *
 * @throws StartupError from the returned function, for a field that cannot be read
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
  const fields = flatFields(message);
  const mask = fields.find((field) => field.shape.kind === 'present');
  const steps = fields
    .filter((field) => field !== mask)
    .map((field) => placed(bodyStep(field, objectOf), field));
  return (body, into) => {
    const present: string[] = [];
    const source = { body, query: NO_PARAMETERS, headers: {}, profile: 'native' } as const;
    for (const step of steps) {
      const violation = step.run(source, into, present);
      if (violation) return violation;
    }
    recordPresent(mask, into, present);
    return undefined;
  };
}
