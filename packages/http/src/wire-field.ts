import { type DescField, type DescMessage, getOption, ScalarType } from '@bufbuild/protobuf';
import { protoCamelCase } from '@bufbuild/protobuf/reflect';
import { FeatureSet_FieldPresence as Presence } from '@bufbuild/protobuf/wkt';
import {
  type FieldRules,
  field as fieldOption,
  NullValue,
} from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { StartupError } from '@steward/rpc';

/** A scalar value. `json` is a string that holds JSON text. */
export type Scalar = 'string' | 'json' | 'bool' | 'int32' | 'uint32' | 'int64' | 'double';

/** The wire form of a field's value. `present` is a FieldMask filled from the keys of a body. */
export type Shape =
  | { readonly kind: Scalar }
  | { readonly kind: 'message'; readonly message: DescMessage }
  | { readonly kind: 'list'; readonly item: Shape }
  | { readonly kind: 'map'; readonly value: Shape }
  | { readonly kind: 'present' };

/** A field as the transcoder uses it: its descriptor and its options, decoded once. */
export interface WireField {
  /** The name in the contract. */
  readonly name: string;
  /** The JSON key: the name in the contract, unless `json_name` says otherwise. */
  readonly key: string;
  /** The property of the message object. */
  readonly localName: string;
  readonly shape: Shape;
  readonly rules: FieldRules;
  /** Whether an unset field differs from the zero value. */
  readonly hasPresence: boolean;
  /** The message that declares it. */
  readonly owner: DescMessage;
  /** The properties with the flattened messages in which it is, from the outermost; empty for a field of the message itself. */
  readonly within: readonly string[];
}

const scalars: Partial<Record<ScalarType, Scalar>> = {
  [ScalarType.STRING]: 'string',
  [ScalarType.BOOL]: 'bool',
  [ScalarType.INT32]: 'int32',
  [ScalarType.SINT32]: 'int32',
  [ScalarType.UINT32]: 'uint32',
  [ScalarType.INT64]: 'int64',
  [ScalarType.SINT64]: 'int64',
  [ScalarType.DOUBLE]: 'double',
};

/** What `google.rpc.ErrorInfo` admits as a reason. */
const ERRCODE = /^[A-Z][A-Z0-9_]+[A-Z0-9]$/;

const decoded = new WeakMap<DescField, FieldRules>();

/** The options of a field. They are decoded once: every route asks for those of each of its fields. */
function rulesOf(desc: DescField): FieldRules {
  let rules = decoded.get(desc);
  if (!rules) {
    rules = getOption(desc, fieldOption);
    decoded.set(desc, rules);
  }
  return rules;
}

const known = new WeakMap<DescMessage, readonly WireField[]>();

/**
 * The fields of a message in the order of their declaration, without raw ones and without those of nested
 * messages.
 *
 * @throws StartupError for a field that has no JSON form here, or whose rules contradict its type
 */
export function wireFields(message: DescMessage): readonly WireField[] {
  let fields = known.get(message);
  if (!fields) {
    fields = message.fields.filter((desc) => !isRaw(desc)).map(wireField);
    requireOwnKeys(message, fields);
    known.set(message, fields);
  }
  return fields;
}

const knownFlat = new WeakMap<DescMessage, readonly WireField[]>();

/**
 * The fields of a message as its JSON has them: those of flattened messages stand in place of these.
 *
 * @throws StartupError as `wireFields`, and where two fields have one key
 */
export function flatFields(message: DescMessage): readonly WireField[] {
  let fields = knownFlat.get(message);
  if (!fields) {
    fields = wireFields(message).flatMap((field) => {
      if (!field.rules.flatten || field.shape.kind !== 'message') return [field];
      const { localName } = field;
      return flatFields(field.shape.message).map((inner) => ({
        ...inner,
        within: [localName, ...inner.within],
      }));
    });
    requireOwnKeys(message, fields);
    knownFlat.set(message, fields);
  }
  return fields;
}

function requireOwnKeys(message: DescMessage, fields: readonly WireField[]): void {
  const keys = new Set<string>();
  for (const { key } of fields) {
    if (keys.has(key)) throw new StartupError(`${message}: two fields have the key '${key}'`);
    keys.add(key);
  }
}

/** The shape of the items of a list or a map; the shape itself when it is neither. */
export function leaf(shape: Shape): Shape {
  if (shape.kind === 'list') return leaf(shape.item);
  return shape.kind === 'map' ? leaf(shape.value) : shape;
}

/** All messages that a value of the message can contain, including itself. */
export function messagesIn(top: DescMessage): ReadonlySet<DescMessage> {
  const found = new Set([top]);
  // Iterating over a set includes the items that are added during the iteration.
  for (const message of found) {
    for (const { shape } of wireFields(message)) {
      const part = leaf(shape);
      if (part.kind === 'message') found.add(part.message);
    }
  }
  return found;
}

/**
 * Whether a field holds bytes that are streamed without a JSON form.
 *
 * @throws StartupError when it is declared so and is not a bytes field
 */
export function isRaw(desc: DescField): boolean {
  const { raw } = rulesOf(desc);
  if (raw && (desc.fieldKind !== 'scalar' || desc.scalar !== ScalarType.BYTES))
    throw new StartupError(`${desc}: raw asks for bytes`);
  return raw;
}

function wireField(desc: DescField): WireField {
  const rules = rulesOf(desc);
  const shape = shapeOf(desc, rules);
  if (!shape) throw new StartupError(`${desc}: its kind has no JSON form here`);
  const wire = {
    name: desc.name,
    key: keyOf(desc),
    localName: desc.localName,
    shape,
    rules,
    hasPresence: desc.presence === Presence.EXPLICIT,
    owner: desc.parent,
    within: [],
  };
  const complaint = contradiction(wire);
  if (complaint) throw new StartupError(`${desc}: ${complaint}`);
  return wire;
}

function shapeOf(desc: DescField, rules: FieldRules): Shape | undefined {
  // protobuf-es keeps the members of a oneof in one property of the message, which the transcoder does not support.
  if (desc.oneof || desc.presence === Presence.LEGACY_REQUIRED) return undefined;
  switch (desc.fieldKind) {
    case 'scalar':
      return desc.longAsString ? undefined : scalarShape(desc.scalar, rules);
    case 'message':
      return messageShape(desc.message, rules);
    case 'list': {
      if (desc.listKind === 'enum' || (desc.listKind === 'scalar' && desc.longAsString)) return undefined;
      const item =
        desc.listKind === 'scalar' ? scalarShape(desc.scalar, rules) : messageShape(desc.message, rules);
      return item && item.kind !== 'present' ? { kind: 'list', item } : undefined;
    }
    case 'map': {
      if (desc.mapKind === 'enum' || desc.mapKey !== ScalarType.STRING) return undefined;
      const value =
        desc.mapKind === 'scalar' ? scalarShape(desc.scalar, rules) : messageShape(desc.message, rules);
      return value && value.kind !== 'present' ? { kind: 'map', value } : undefined;
    }
    default:
      return undefined;
  }
}

function scalarShape(type: ScalarType, rules: FieldRules): Shape | undefined {
  const kind = scalars[type];
  if (kind === undefined) return undefined;
  return { kind: kind === 'string' && rules.json ? 'json' : kind };
}

function messageShape(message: DescMessage, rules: FieldRules): Shape | undefined {
  if (rules.presentKeys && message.typeName === 'google.protobuf.FieldMask') return { kind: 'present' };
  // Well-known types have JSON forms of their own, none of which the documented API uses.
  return message.typeName.startsWith('google.protobuf.') ? undefined : { kind: 'message', message };
}

function contradiction({ shape, rules, hasPresence }: WireField): string | undefined {
  const { kind } = leaf(shape);
  const integer = kind === 'int32' || kind === 'uint32' || kind === 'int64';
  const rows: readonly (readonly [boolean, string])[] = [
    [rules.json && kind !== 'json', 'json asks for a string'],
    [rules.presentKeys && kind !== 'present', 'present_keys asks for a FieldMask'],
    [rules.values.length > 0 && kind !== 'string', 'values asks for a string'],
    [rules.maxLength > 0 && kind !== 'string', 'max_length asks for a string'],
    [rules.pattern !== '' && kind !== 'string', 'pattern asks for a string'],
    [rules.newPassword && kind !== 'string', 'new_password asks for a string'],
    [rules.pattern !== '' && rules.values.length > 0, 'pattern contradicts values'],
    [rules.onLength !== '' && rules.maxLength === 0, 'on_length asks for max_length'],
    [rules.minimum !== undefined && !integer, 'minimum asks for an integer'],
    [rules.truthy && shape.kind !== 'bool', 'truthy asks for a bool'],
    [rules.truthy && rules.lenient, 'lenient contradicts truthy, to which every type is right'],
    [rules.lenient && rules.null === NullValue.REFUSED, 'lenient asks for a null rule to follow'],
    [rules.bit && shape.kind !== 'bool', 'bit asks for a bool'],
    [rules.compatSpellings.length > 0 && kind !== 'string', 'compat_spellings asks for a string'],
    [rules.compatBool && !rules.bit, 'compat_bool asks for bit'],
    [rules.created && shape.kind !== 'bool', 'created asks for a bool'],
    [rules.compatSeconds && shape.kind !== 'int64', 'compat_seconds asks for an int64'],
    [rules.flatten && shape.kind !== 'message', 'flatten asks for a message'],
    [rules.nullable && !hasPresence, 'nullable asks for a field that can be unset'],
    [rules.nullable && rules.flatten, 'nullable contradicts flatten'],
    [rules.omitEmpty && shape.kind !== 'list' && shape.kind !== 'map', 'omit_empty asks for a list or a map'],
    [rules.header !== '' && (rules.query || rules.json), 'header contradicts query and json'],
    [rules.header !== rules.header.toLowerCase(), 'header asks for a name in lower case'],
    ...(['onMissing', 'onType', 'onLength'] as const).map(
      (rule) =>
        [rules[rule] !== '' && !ERRCODE.test(rules[rule]), `'${rules[rule]}' is not an errcode`] as const,
    ),
  ];
  return rows.find(([wrong]) => wrong)?.[1];
}

/** The JSON key of a field. */
export function keyOf({ name, jsonName }: DescField): string {
  return jsonName === protoCamelCase(name) ? name : jsonName;
}
