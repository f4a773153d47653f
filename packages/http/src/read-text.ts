import type { FieldRules } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { integerCheck, longCheck, stringCheck } from './value-rules.ts';
import { type Outcome, WRONG } from './violation.ts';
import type { Shape } from './wire-field.ts';

/** The errcode of a value of the wrong type in a path, a query or a header, unless the field names another. */
export const TEXT_ON_TYPE = 'M_INVALID_PARAM';

/** The digits of the longest 64-bit number; longer numbers are out of range without a conversion. */
const LONGEST_INT64_DIGITS = 19;
const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

const INTEGER = new RegExp(`^\\s*([+-]?)0*(\\d{1,${LONGEST_INT64_DIGITS}})\\s*$`);

/** Reads the decoded text of a path variable or a query parameter. */
export type ReadText = (text: string) => Outcome<unknown>;

/** Compiles the reader of one text (behaviour.md 0.6); `undefined` for a shape that text cannot hold. */
export function compileText(shape: Shape, rules: FieldRules): ReadText | undefined {
  const onType = rules.onType || TEXT_ON_TYPE;
  switch (shape.kind) {
    case 'string':
      return stringCheck(rules, onType);
    case 'bool':
      return (text) => (text === 'true' ? true : text === 'false' ? false : WRONG);
    case 'int32':
    case 'uint32': {
      const check = integerCheck(shape.kind, rules, onType);
      return (text) => {
        const value = parseInteger(text);
        return value === undefined ? WRONG : check(Number(value));
      };
    }
    case 'int64': {
      const check = longCheck(rules, onType);
      return (text) => {
        const value = parseInteger(text);
        return value === undefined ? WRONG : check(value);
      };
    }
    default:
      return undefined;
  }
}

function parseInteger(text: string): bigint | undefined {
  const match = INTEGER.exec(text);
  if (!match) return undefined;
  const value = BigInt(`${match[2]}`);
  const signed = match[1] === '-' ? -value : value;
  return signed >= INT64_MIN && signed <= INT64_MAX ? signed : undefined;
}
