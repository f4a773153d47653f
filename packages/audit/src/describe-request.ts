import { type DescField, type DescMessage, isFieldSet, type Message, ScalarType } from '@bufbuild/protobuf';
import { FieldMaskSchema, FeatureSet_FieldPresence as FieldPresence } from '@bufbuild/protobuf/wkt';
import type { Json } from '@steward/errors';
import { declarationsOf, fieldValue } from './field-declarations.ts';

/** The size limit of the description of a request, in bytes. */
const MAX_REQUEST_BYTES = 4096;

/** The length limit of one text, in characters. */
const MAX_TEXT_LENGTH = 512;

/** Replaces secrets. */
const REDACTED = '[redacted]';

/** Ends a truncated text. */
const CUT = '…';

/** The content of a request, for readers of the audit log. */
export interface Description {
  /** An object, of at most 4 KiB. */
  readonly json: string;
  /** Whether something was left out because of its length. */
  readonly truncated: boolean;
}

/** What is to be described, the space that is left, and whether something was left out. */
interface Budget {
  readonly isWholeRequest: boolean;
  bytesLeft: number;
  truncated: boolean;
}

/**
 * Describes a request as JSON, with the names of the contract. Fields that are declared secret are replaced; long
 * values are truncated or left out. Flags and numbers appear with the value that the request has, also if that is
 * `false` or 0.
 *
 * @param isWhole whether the request was read to its end; the fields after a violation have no value
 * @param only the fields that are described; all of them if undefined
 */
export function describeRequest(
  schema: DescMessage,
  request: Message,
  isWhole: boolean,
  only?: ReadonlySet<DescField>,
): Description {
  const budget: Budget = {
    isWholeRequest: isWhole,
    bytesLeft: MAX_REQUEST_BYTES - '{}'.length,
    truncated: false,
  };
  const fields = only ? schema.fields.filter((field) => only.has(field)) : schema.fields;
  const described = describeFields(fields, request, budget);
  if (!only) addPresentKeys(schema, request, described, budget);
  const json = JSON.stringify(described);
  return { json, truncated: budget.truncated };
}

function describeMessage(
  schema: DescMessage,
  message: Message,
  budget: Budget,
): Readonly<Record<string, Json>> {
  const described = describeFields(schema.fields, message, budget);
  addPresentKeys(schema, message, described, budget);
  return described;
}

function describeFields(
  fields: readonly DescField[],
  message: Message,
  budget: Budget,
): Record<string, Json> {
  const described: Record<string, Json> = {};
  for (const field of fields) {
    const hasValue = isFieldSet(message, field) || (budget.isWholeRequest && isFlagOrNumber(field));
    if (!hasValue || isPresence(field)) continue;
    add(described, field.name, budget, () =>
      declarationsOf(field).redacted ? leaf(REDACTED, budget) : describeField(field, message, budget),
    );
  }
  return described;
}

/** Adds the keys whose value in the body is null. */
function addPresentKeys(
  schema: DescMessage,
  message: Message,
  described: Record<string, Json>,
  budget: Budget,
): void {
  for (const name of presentKeys(schema, message))
    if (!(name in described)) add(described, name, budget, () => leaf(null, budget));
}

function add(
  described: Record<string, Json>,
  name: string,
  budget: Budget,
  describe: () => Json | undefined,
): void {
  if (!spend(budget, JSON.stringify(name).length + ':,'.length)) return;
  const value = describe();
  if (value !== undefined) described[name] = value;
}

function describeField(field: DescField, message: Message, budget: Budget): Json | undefined {
  const value = fieldValue(message, field);
  switch (field.fieldKind) {
    case 'message':
      return describeNested(field.message, value, budget);
    case 'list':
      return describeList(field, value as readonly unknown[], budget);
    case 'map':
      return describeMap(field, value as Readonly<Record<string, unknown>>, budget);
    default:
      return describeScalar(value, budget);
  }
}

function describeNested(schema: DescMessage, value: unknown, budget: Budget): Json | undefined {
  return spend(budget, '{}'.length) ? describeMessage(schema, value as Message, budget) : undefined;
}

function describeList(
  field: DescField & { readonly fieldKind: 'list' },
  items: readonly unknown[],
  budget: Budget,
): Json | undefined {
  if (!spend(budget, '[]'.length)) return undefined;
  const described: Json[] = [];
  for (const item of items) {
    if (!spend(budget, ','.length)) break;
    const one = field.message ? describeNested(field.message, item, budget) : describeScalar(item, budget);
    if (one === undefined) break;
    described.push(one);
  }
  return described;
}

function describeMap(
  field: DescField & { readonly fieldKind: 'map' },
  entries: Readonly<Record<string, unknown>>,
  budget: Budget,
): Json | undefined {
  if (!spend(budget, '{}'.length)) return undefined;
  const described = new Map<string, Json>();
  for (const [key, item] of Object.entries(entries)) {
    if (!spend(budget, Buffer.byteLength(JSON.stringify(key)) + ':,'.length)) break;
    const one = field.message ? describeNested(field.message, item, budget) : describeScalar(item, budget);
    if (one === undefined) break;
    described.set(key, one);
  }
  return Object.fromEntries(described);
}

function describeScalar(value: unknown, budget: Budget): Json | undefined {
  if (typeof value === 'bigint') return leaf(Number(value), budget);
  if (typeof value === 'number' || typeof value === 'boolean') return leaf(value, budget);
  if (typeof value !== 'string') return undefined;
  if (value.length <= MAX_TEXT_LENGTH) return leaf(value, budget);
  budget.truncated = true;
  return leaf(value.slice(0, MAX_TEXT_LENGTH) + CUT, budget);
}

/** A scalar value, if there is space for it. */
function leaf(value: Json, budget: Budget): Json | undefined {
  return spend(budget, Buffer.byteLength(JSON.stringify(value))) ? value : undefined;
}

function spend(budget: Budget, bytes: number): boolean {
  if (bytes > budget.bytesLeft) {
    budget.bytesLeft = 0;
    budget.truncated = true;
    return false;
  }
  budget.bytesLeft -= bytes;
  return true;
}

function presentKeys(schema: DescMessage, message: Message): readonly string[] {
  const field = schema.fields.find(isPresence);
  if (!field) return [];
  const mask = fieldValue(message, field) as { readonly paths: readonly string[] } | undefined;
  return mask?.paths ?? [];
}

/** Whether a field always has a value, of which the default is indistinguishable from an absent key. */
function isFlagOrNumber(field: DescField): boolean {
  if (field.fieldKind !== 'scalar' || field.presence !== FieldPresence.IMPLICIT) return false;
  return field.scalar !== ScalarType.STRING && field.scalar !== ScalarType.BYTES;
}

function isPresence(field: DescField): boolean {
  return field.fieldKind === 'message' && field.message.typeName === FieldMaskSchema.typeName;
}
