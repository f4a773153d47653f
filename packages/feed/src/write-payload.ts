import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence as FieldPresence } from '@bufbuild/protobuf/wkt';
import { payloadRules } from './payload-rules.ts';

/** The size limit of a payload, in bytes of JSON. */
export const MAX_PAYLOAD_BYTES = 4096;

/** The size limit of one text, in bytes of JSON: so small that all texts of a payload fit beside each other. */
const MAX_TEXT_BYTES = 512;

type Value = string | number | boolean;

/** The values of a payload, by the local names of its fields; missing ones are unset. */
export type PayloadValues = Readonly<Record<string, unknown>>;

/**
 * Writes a payload as JSON, with the names of the contract and integers as numbers. Fields without presence are written with their
 * default; lists and maps only as far as the payload has at most 4 KiB.
 */
export function writePayload(schema: DescMessage, values: PayloadValues): string {
  const written: Record<string, Value | readonly Value[] | Readonly<Record<string, Value>>> = {};
  let bytesLeft = MAX_PAYLOAD_BYTES - '{}'.length;
  let truncated = false;
  const spend = (bytes: number) => {
    const fits = bytes <= bytesLeft;
    if (fits) bytesLeft -= bytes;
    else truncated = true;
    return fits;
  };
  const fits = (value: Value) => spend(bytesOf(value) + ','.length);
  // The order of the fields in the JSON is that of their declaration; the lists get what the others leave.
  for (const field of schema.fields) {
    const { name } = field;
    if (payloadRules(field).truncated) {
      written[name] = false;
      spend(name.length + '"":false,'.length);
    } else if (field.fieldKind === 'list' || field.fieldKind === 'map') {
      written[name] = field.fieldKind === 'list' ? [] : {};
      spend(name.length + '"":[],'.length);
    } else {
      const value = scalarOf(values[field.localName]) ?? defaultOf(field);
      if (value === undefined) continue;
      written[name] = value;
      spend(name.length + '"":,'.length + bytesOf(value));
    }
  }
  for (const field of schema.fields) {
    const given = values[field.localName] ?? [];
    if (field.fieldKind === 'list') {
      const items = (Array.isArray(given) ? given : [given]).flatMap((item) => scalarOf(item) ?? []);
      const kept = items.findIndex((item) => !fits(item));
      written[field.name] = kept < 0 ? items : items.slice(0, kept);
    } else if (field.fieldKind === 'map') {
      const entries = Object.entries(given as object).flatMap(([key, item]) => {
        const value = scalarOf(item);
        return value === undefined ? [] : [[textOf(key), value] as const];
      });
      const kept = entries.findIndex(([key, value]) => !spend(bytesOf(key) + bytesOf(value) + ':,'.length));
      written[field.name] = Object.fromEntries(kept < 0 ? entries : entries.slice(0, kept));
    }
  }
  if (truncated)
    for (const field of schema.fields) if (payloadRules(field).truncated) written[field.name] = true;
  return JSON.stringify(written);
}

function scalarOf(value: unknown): Value | undefined {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  return typeof value === 'string' ? textOf(value) : undefined;
}

/** A text as it is stored: bounded, well-formed, and without NUL, which the stores do not accept. */
function textOf(text: string): string {
  const whole = text.slice(0, MAX_TEXT_BYTES).replaceAll('\0', '\u{FFFD}').toWellFormed();
  if (bytesOf(whole) <= MAX_TEXT_BYTES) return whole;
  let bytesLeft = MAX_TEXT_BYTES - '""'.length;
  let kept = '';
  for (const character of whole) {
    bytesLeft -= bytesOf(character) - '""'.length;
    if (bytesLeft < 0) break;
    kept += character;
  }
  return kept;
}

function bytesOf(value: Value): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** The value of an unset field; `undefined` for one with presence. */
function defaultOf(field: DescField): Value | undefined {
  if (field.fieldKind !== 'scalar' || field.presence !== FieldPresence.IMPLICIT) return undefined;
  if (field.scalar === ScalarType.STRING) return '';
  return field.scalar === ScalarType.BOOL ? false : 0;
}
