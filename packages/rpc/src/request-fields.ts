import { type DescField, type DescMessage, getOption, hasOption, type Message } from '@bufbuild/protobuf';
import { field as fieldOption } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { StartupError } from './startup-error.ts';

/** A field of a request: one of its message, or of a message whose fields stand in place of it. */
export interface RequestField {
  readonly field: DescField;
  /** The fields with the flattened messages in which it is, from the outermost; empty for a field of the request itself. */
  readonly within: readonly DescField[];
}

const known = new WeakMap<DescMessage, readonly RequestField[]>();

/**
 * The fields of a request, with those of flattened messages in place of these.
 *
 * @throws StartupError for a message that is flattened into itself
 */
export function requestFields(message: DescMessage): readonly RequestField[] {
  const fields = known.get(message) ?? expand(message, []);
  known.set(message, fields);
  return fields;
}

function expand(message: DescMessage, within: readonly DescField[]): readonly RequestField[] {
  return message.fields.flatMap((field) => {
    if (!isFlattened(field)) return [{ field, within }];
    if (field.message === message || within.some((outer) => outer.message === field.message))
      throw new StartupError(`${field}: a message cannot be flattened into itself`);
    return expand(field.message, [...within, field]);
  });
}

/** Whether the fields of a message stand in place of the field that holds it. */
export function isFlattened(field: DescField): field is DescField & { readonly fieldKind: 'message' } {
  return (
    field.fieldKind === 'message' && hasOption(field, fieldOption) && getOption(field, fieldOption).flatten
  );
}

/** The value of a field of a request; undefined where the message that it is in was left out. */
export function requestValue(request: Message, { field, within }: RequestField): unknown {
  let holder: unknown = request;
  for (const { localName } of [...within, field]) {
    if (holder === undefined) return undefined;
    holder = (holder as Readonly<Record<string, unknown>>)[localName];
  }
  return holder;
}
