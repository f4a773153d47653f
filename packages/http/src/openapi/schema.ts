import type { DescMessage } from '@bufbuild/protobuf';
import { NullValue } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import type { Binding } from '../bindings.ts';
import { flatFields, leaf, messagesIn, type Shape, type WireField, wireFields } from '../wire-field.ts';
import type { Comments } from './comments.ts';

/** A JSON schema, or another part of an OpenAPI document. */
export type Part = { readonly [key: string]: unknown };

/** The direction of a value: requests and answers may need different descriptions of one message. */
export type Direction = 'input' | 'output';

/** Describes messages and fields; each message becomes one component. */
export interface Schemas {
  /** The schema of a message. */
  message(message: DescMessage, direction: Direction): Part;
  /** The schema of an object with these fields. */
  object(fields: readonly WireField[], direction: Direction): Part;
  /** The schema of a field's value in a query or a path, or of a field that is the whole body. */
  value(field: WireField, direction: Direction): Part;
  /** The component of the variant with a value of the discriminator, once the message was described. */
  variantName(value: string): string;
  /** The components made so far, by name. */
  readonly components: Readonly<Record<string, Part>>;
}

/** A message of which a field of free JSON contains another message, which the value of a further field names. */
export interface Variants {
  readonly message: DescMessage;
  /** The key of the field that names the content. */
  readonly discriminator: string;
  /** The key of the field of free JSON. */
  readonly content: string;
  readonly types: readonly { readonly value: string; readonly payload: DescMessage }[];
}

const scalarSchemas: Readonly<Record<string, Part>> = {
  string: { type: 'string' },
  json: {},
  bool: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  uint32: { type: 'integer', format: 'int32', minimum: 0 },
  int64: { type: 'integer', format: 'int64' },
  double: { type: 'number', format: 'double' },
};

/** Creates the schemas of a document with these bindings; it has no components yet. */
export function createSchemas(
  bindings: readonly Binding[],
  comments: Comments,
  variants?: Variants,
): Schemas {
  const components: Record<string, Part> = {};
  const owners = new Map<string, DescMessage>();
  const answered = new Set(bindings.flatMap(({ method }) => [...messagesIn(method.output)]));

  const componentName = (message: DescMessage, direction: Direction): string => {
    const suffix = direction === 'input' && answered.has(message) ? '-Input' : '';
    const short = message.name + suffix;
    const name = (owners.get(short) ?? message) === message ? short : message.typeName + suffix;
    owners.set(name, message);
    return name;
  };

  const messageSchema = (message: DescMessage, direction: Direction): Part => {
    const alone = direction === 'output' ? onlyFlattened(message) : undefined;
    if (alone) return messageSchema(alone, direction);
    const name = componentName(message, direction);
    if (!(name in components)) {
      // Registered before it is described, because a message may contain itself.
      components[name] = {};
      const schema = object(flatFields(message), direction);
      components[name] = {
        ...described(comments(message.typeName)),
        ...(message === variants?.message ? union(variants, schema) : schema),
      };
    }
    return { $ref: `#/components/schemas/${name}` };
  };

  const variantNames = new Map<string, string>();

  /** The union of a message by what it contains: each part is the whole message, with one content. */
  const union = ({ discriminator, content, types }: Variants, { properties, ...schema }: Part): Part => {
    const mapping: Record<string, string> = {};
    const parts = types.map(({ value, payload }) => {
      const about = described(comments(payload.typeName));
      const variant = `${componentName(payload, 'output')}Event`;
      variantNames.set(value, variant);
      components[variant] = {
        ...about,
        ...schema,
        properties: {
          ...(properties as Part),
          [discriminator]: { type: 'string', enum: [value] },
          [content]: messageSchema(payload, 'output'),
        },
      };
      const $ref = `#/components/schemas/${variant}`;
      mapping[value] = $ref;
      return { $ref };
    });
    return { anyOf: parts, discriminator: { propertyName: discriminator, mapping } };
  };

  const object = (fields: readonly WireField[], direction: Direction): Part => {
    const properties: Record<string, Part> = {};
    const required: string[] = [];
    for (const field of direction === 'output' ? written(fields) : read(fields)) {
      properties[field.key] = {
        ...value(field, direction),
        ...described(
          comments(`${field.owner.typeName}.${field.name}`),
          direction === 'input' ? note(field) : undefined,
        ),
      };
      if (direction === 'output' ? isAlwaysWritten(field) : field.rules.onMissing !== '')
        required.push(field.key);
    }
    return { type: 'object', properties, ...(required.length > 0 ? { required } : {}) };
  };

  const value = (field: WireField, direction: Direction): Part => {
    const { shape, rules } = field;
    if (direction === 'output') {
      const schema = rules.bit ? { type: 'integer', enum: [0, 1] } : shapeSchema(shape, {}, direction);
      return rules.nullable ? orNull(schema) : schema;
    }
    const bounds = boundsOf(field);
    // Values of any type are accepted; a bound on strings applies to strings only.
    if (rules.truthy || rules.lenient) return bounds;
    const schema = shapeSchema(shape, bounds, direction);
    return rules.null === NullValue.REFUSED ? schema : orNull(schema);
  };

  const shapeSchema = (shape: Shape, bounds: Part, direction: Direction): Part => {
    switch (shape.kind) {
      case 'message':
        return messageSchema(shape.message, direction);
      case 'list':
        return { type: 'array', items: shapeSchema(shape.item, bounds, direction) };
      case 'map':
        return { type: 'object', additionalProperties: shapeSchema(shape.value, bounds, direction) };
      default:
        return { ...scalarSchemas[shape.kind], ...bounds };
    }
  };

  const variantName = (of: string): string => {
    const name = variantNames.get(of);
    if (name === undefined) throw new Error(`There is no variant ${of}`);
    return name;
  };

  return { message: messageSchema, object, value, variantName, components };
}

function read(fields: readonly WireField[]): readonly WireField[] {
  return fields.filter(({ shape }) => shape.kind !== 'present');
}

function written(fields: readonly WireField[]): readonly WireField[] {
  return fields.filter(({ rules }) => !rules.created);
}

/** The flattened message that makes up a whole answer, if one does. */
function onlyFlattened(message: DescMessage): DescMessage | undefined {
  const [first, ...others] = wireFields(message).filter(({ rules }) => !rules.created);
  if (!first?.rules.flatten || others.length > 0 || first.shape.kind !== 'message') return undefined;
  return first.shape.message;
}

function isAlwaysWritten({ hasPresence, rules }: WireField): boolean {
  return !rules.omitEmpty && (!hasPresence || rules.nullable);
}

function boundsOf({ shape, rules }: WireField): Part {
  return {
    ...(rules.values.length > 0 ? { enum: rules.values } : {}),
    ...(rules.maxLength > 0 ? { maxLength: rules.maxLength } : {}),
    ...(rules.pattern === '' ? {} : { pattern: rules.pattern }),
    ...(rules.minimum !== undefined && leaf(shape).kind !== 'double'
      ? { minimum: Number(rules.minimum) }
      : {}),
  };
}

function orNull(schema: Part): Part {
  if (typeof schema.type !== 'string')
    return '$ref' in schema ? { anyOf: [schema, { type: 'null' }] } : schema;
  const values = Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {};
  return { ...schema, type: [schema.type, 'null'], ...values };
}

function note({ rules }: WireField): string | undefined {
  if (rules.truthy)
    return 'A value of any type is accepted: 0, "", [], {}, null and false are false, all others true.';
  return rules.lenient ? 'A value of the wrong type is treated as null.' : undefined;
}

function described(...texts: readonly (string | undefined)[]): Part {
  const description = texts.filter((text) => text !== undefined).join(' ');
  return description === '' ? {} : { description };
}
