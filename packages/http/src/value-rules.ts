import { passwordText } from '@steward/kernel';
import type { FieldRules } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { type Outcome, Violation, WRONG } from './violation.ts';
import type { Scalar, Shape } from './wire-field.ts';

const INT32_MIN = -(2 ** 31);
const INT32_MAX = 2 ** 31 - 1;
const UINT32_MAX = 2 ** 32 - 1;

/** What takes the place of a character that could not be read, such as half a surrogate pair. */
const UNREADABLE = '\ufffd';

/**
 * Checks a string against `values`, or `pattern`, `new_password` and `max_length`; `onType` is the errcode of a value
 * not admitted.
 */
export function stringCheck(rules: FieldRules, onType: string): (value: string) => Outcome<string> {
  const { values, maxLength, pattern } = rules;
  if (values.length > 0) {
    const admitted = new Set(values);
    const other = new Violation(onType, '', `must be one of ${values.join(', ')}`);
    return (value) => (admitted.has(value) ? value : other);
  }
  if (pattern !== '') {
    const form = new RegExp(pattern, 'u');
    const other = new Violation(onType, '', 'is not of the required form');
    const checkLength = stringCheck({ ...rules, pattern: '' }, onType);
    return (value) => (form.test(value) ? checkLength(value) : other);
  }
  if (rules.newPassword) {
    const broken = new Violation(
      onType,
      '',
      'contains a character that could not be read: choose another one',
    );
    const checkLength = stringCheck({ ...rules, newPassword: false }, onType);
    return (value) => {
      if (value.includes(UNREADABLE)) return broken;
      const outcome = checkLength(passwordText(value));
      return outcome instanceof Violation ? outcome : checkLength(value);
    };
  }
  if (maxLength === 0) return (value) => value;
  const tooLong = new Violation(rules.onLength || onType, '', `must have at most ${maxLength} characters`);
  return (value) => (isLonger(value, maxLength) ? tooLong : value);
}

/** Checks a whole number against the range of its type, outside of which it is `WRONG`, and against `minimum`. */
export function integerCheck(
  kind: 'int32' | 'uint32',
  rules: FieldRules,
  onType: string,
): (value: number) => Outcome<number> {
  const [least, greatest] = kind === 'int32' ? [INT32_MIN, INT32_MAX] : [0, UINT32_MAX];
  const minimum = rules.minimum === undefined ? least : Number(rules.minimum);
  const tooSmall = new Violation(onType, '', `must be at least ${minimum}`);
  return (value) => {
    if (value < least || value > greatest) return WRONG;
    return value < minimum ? tooSmall : value;
  };
}

/** Checks a 64-bit number that is in the range of its type against `minimum`. */
export function longCheck(rules: FieldRules, onType: string): (value: bigint) => Outcome<bigint> {
  const { minimum } = rules;
  if (minimum === undefined) return (value) => value;
  const tooSmall = new Violation(onType, '', `must be at least ${minimum}`);
  return (value) => (value < minimum ? tooSmall : value);
}

/** The noun for a value of the shape, for messages. */
export function nounOf(shape: Shape): string {
  switch (shape.kind) {
    case 'list':
      return `a list of ${pluralOf(shape.item)}`;
    case 'map':
      return `an object of ${pluralOf(shape.value)}`;
    case 'message':
    case 'present':
      return 'an object';
    default:
      return singular[shape.kind];
  }
}

const singular: Readonly<Record<Scalar, string>> = {
  string: 'a string',
  json: 'a value',
  bool: 'true or false',
  int32: 'an integer',
  uint32: 'an integer',
  int64: 'an integer',
  double: 'a number',
};

const plural: Readonly<Record<Scalar, string>> = {
  string: 'strings',
  json: 'values',
  bool: 'booleans',
  int32: 'integers',
  uint32: 'integers',
  int64: 'integers',
  double: 'numbers',
};

function pluralOf(shape: Shape): string {
  return shape.kind in plural ? plural[shape.kind as Scalar] : 'objects';
}

function isLonger(text: string, codePoints: number): boolean {
  if (text.length <= codePoints) return false;
  let count = 0;
  for (const _ of text) if (++count > codePoints) return true;
  return false;
}
