import { type DescMessage, type DescMethod, getOption, hasOption, type Message } from '@bufbuild/protobuf';
import type { FieldMask } from '@bufbuild/protobuf/wkt';
import { http } from '@steward/proto/google/api/annotations_pb.ts';
import { Body, type FieldRules } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { fillFlat, holderOf } from './flat-message.ts';
import { parseBody } from './json-body.ts';
import { TEXT_ON_TYPE } from './read-text.ts';
import type { Fields } from './step.ts';
import { integerCheck, longCheck, stringCheck } from './value-rules.ts';
import { Violation } from './violation.ts';
import { flatFields, type Shape, type WireField } from './wire-field.ts';

/** Returns the first violation of a message, if any. */
export type CheckMessage = (message: Message) => Violation | undefined;

/** Checks one value; `undefined` when it is admitted. */
type CheckValue = (value: unknown) => Violation | undefined;

const VARIABLE = /\{(\w+)\}/g;

const known = new WeakMap<DescMethod, CheckMessage>();

/**
 * The check of the requests of a method that were not read from JSON: the declared rules of their fields. A field without
 * presence that has its default counts as absent, except for a path variable. Of those that a request requires, a text is then
 * missing; the default of any other field may be meant.
 */
export function messageCheck(method: DescMethod): CheckMessage {
  let check = known.get(method);
  if (!check) {
    const variables = variablesOf(method);
    check = fieldsCheck(method.input, new Map(), variables) as CheckMessage;
    known.set(method, check);
  }
  return check;
}

function variablesOf(method: DescMethod): ReadonlySet<string> {
  if (!hasOption(method, http)) return new Set();
  const rule = getOption(method, http);
  const paths = [rule, ...rule.additionalBindings].map(({ pattern }) => pattern.value);
  return new Set(
    paths.flatMap((path) =>
      typeof path === 'string' ? [...path.matchAll(VARIABLE)].map(([, name = '']) => name) : [],
    ),
  );
}

function fieldsCheck(
  desc: DescMessage,
  checks: Map<DescMessage, CheckValue>,
  variables: ReadonlySet<string> = new Set(),
): CheckValue {
  let check: CheckValue = () => undefined;
  // Before its fields, because a message may contain itself.
  if (variables.size === 0) checks.set(desc, (value) => check(value));
  const steps = flatFields(desc).map((field) => fieldCheck(field, checks, variables));
  check = (value) => {
    fillFlat(desc, value as Fields);
    for (const step of steps) {
      const violation = step(value as Fields);
      if (violation) return violation;
    }
    return undefined;
  };
  return check;
}

function fieldCheck(
  field: WireField,
  checks: Map<DescMessage, CheckValue>,
  variables: ReadonlySet<string>,
): (message: Fields) => Violation | undefined {
  const { key, localName, name, rules, shape, hasPresence, within } = field;
  const check = valueCheck(shape, rules, field.owner, checks);
  const missing = rules.onMissing === '' ? undefined : new Violation(rules.onMissing, key, 'is missing');
  const isAlwaysSet = variables.has(name);
  return (message) => {
    const value = holderOf(message, within)[localName];
    if (value === undefined) return missing;
    const isAbsent = !hasPresence && !isAlwaysSet && (value === '' || value === 0 || value === 0n);
    if (isAbsent) return value === '' ? missing : undefined;
    return check(value)?.inside(key);
  };
}

function valueCheck(
  shape: Shape,
  rules: FieldRules,
  desc: DescMessage,
  checks: Map<DescMessage, CheckValue>,
): CheckValue {
  const onType = rules.onType || TEXT_ON_TYPE;
  switch (shape.kind) {
    case 'string':
      return violationOf(stringCheck(rules, onType));
    case 'int32':
    case 'uint32':
      return violationOf(integerCheck(shape.kind, rules, onType));
    case 'int64':
      return violationOf(longCheck(rules, onType));
    case 'double': {
      const wrong = new Violation(onType, '', 'must be a finite number');
      return (value) => (Number.isFinite(value) ? undefined : wrong);
    }
    case 'json': {
      const wrong = new Violation(onType, '', 'must be the text of a JSON value');
      return (value) => (isJson(value as string) ? undefined : wrong);
    }
    case 'bool':
      return () => undefined;
    case 'present': {
      const names = new Set(flatFields(desc).map(({ name }) => name));
      const wrong = new Violation(onType, '', 'must name fields of the message');
      return (value) => ((value as FieldMask).paths.every((path) => names.has(path)) ? undefined : wrong);
    }
    case 'message':
      return checks.get(shape.message) ?? fieldsCheck(shape.message, checks);
    case 'list': {
      const check = valueCheck(shape.item, rules, desc, checks);
      return (value) => {
        for (const [n, item] of (value as readonly unknown[]).entries()) {
          const violation = check(item);
          if (violation) return violation.inside(`[${n}]`);
        }
        return undefined;
      };
    }
    case 'map': {
      const check = valueCheck(shape.value, rules, desc, checks);
      return (value) => {
        for (const item of Object.values(value as Fields)) {
          const violation = check(item);
          if (violation) return violation;
        }
        return undefined;
      };
    }
  }
}

/** Types are right in a message, and numbers in their range. */
function violationOf<T>(check: (value: T) => unknown): CheckValue {
  return (value) => {
    const outcome = check(value as T);
    return outcome instanceof Violation ? outcome : undefined;
  };
}

/** As the value of a key of a body, so that the limits of bodies apply. */
function isJson(text: string): boolean {
  const body = parseBody(Buffer.from(`{"value":${text}}`), Body.REQUIRED, false);
  return !(body instanceof Violation) && Object.keys(body).length === 1;
}
