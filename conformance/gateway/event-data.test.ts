import { create, type DescField, type DescMessage, type Message, ScalarType } from '@bufbuild/protobuf';
import { auditedMethod } from '@steward/audit';
import { expect, it } from 'vitest';
import { servedOnce } from '../served.ts';

/** What the values of secret fields contain. */
const SECRET = 'S3CRET';

const makers = servedOnce
  .map(({ method }) => method)
  .filter((method) => auditedMethod(method).eventType !== '');

/** A message in which every field is set, to a depth; secret ones to a secret. */
function fullMessage(schema: DescMessage, isSecret = false, depth = 3): Message {
  const init = Object.fromEntries(
    schema.fields.flatMap((field) => {
      const value = valueOfField(field, isSecret || (field.proto.options?.debugRedact ?? false), depth);
      return value === undefined ? [] : [[field.localName, value]];
    }),
  );
  return create(schema, init);
}

function valueOfField(field: DescField, isSecret: boolean, depth: number): unknown {
  const one = () => {
    if (field.message) return depth > 0 ? fullMessage(field.message, isSecret, depth - 1) : undefined;
    const { scalar } = field as { readonly scalar?: ScalarType };
    if (scalar === ScalarType.STRING) return `${isSecret ? SECRET : ''}${field.name}`;
    if (scalar === ScalarType.INT64) return 7n;
    if (scalar === ScalarType.BOOL) return true;
    return scalar === ScalarType.BYTES ? new Uint8Array() : 7;
  };
  const value = one();
  if (value === undefined || (field.fieldKind === 'map' && field.mapKey !== ScalarType.STRING))
    return undefined;
  if (field.fieldKind === 'list')
    return field.message?.typeName === 'google.protobuf.FieldMask' ? [] : [value];
  return field.fieldKind === 'map' ? { key: value } : value;
}

it.each(makers.map((method) => [method.name, method] as const))(
  'the event of %s contains none of the secrets of its request and its answer',
  (_, method) => {
    const audited = auditedMethod(method);
    const data = audited.eventData(fullMessage(method.input), fullMessage(method.output));
    expect(data).not.toContain(SECRET);
    // Addresses of users and clients are personal.
    for (const name of ['address', 'ip', 'allowed_addresses', 'threepids'])
      expect(JSON.parse(data)).not.toHaveProperty(name);
  },
);
