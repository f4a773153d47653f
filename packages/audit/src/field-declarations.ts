import { type DescField, getOption, hasOption, type Message } from '@bufbuild/protobuf';
import { field as fieldOption } from '@steward/proto/steward/http/v1/annotations_pb.ts';

/** The declarations of a field that concern the audit log. */
export interface FieldDeclarations {
  /** Whether its value is secret. */
  readonly redacted: boolean;
  /** Whether its value is a target of the request. */
  readonly target: boolean;
  /** What precedes the value where it is a target. */
  readonly targetPrefix: string;
  /** Whether its value is the id of the task that the call started. */
  readonly task: boolean;
  /** Whether its value states that the call created something. */
  readonly created: boolean;
}

const known = new WeakMap<DescField, FieldDeclarations>();

/** The declarations of a field. They are decoded once, because reading an option decodes it each time. */
export function declarationsOf(field: DescField): FieldDeclarations {
  const declarations = known.get(field) ?? decode(field);
  known.set(field, declarations);
  return declarations;
}

function decode(field: DescField): FieldDeclarations {
  const redacted = field.proto.options?.debugRedact ?? false;
  if (!hasOption(field, fieldOption))
    return { redacted, target: false, targetPrefix: '', task: false, created: false };
  const { target, targetPrefix, task, created } = getOption(field, fieldOption);
  return { redacted, target, targetPrefix, task, created };
}

/** The value of a field in a message. */
export function fieldValue(message: Message, field: DescField): unknown {
  return (message as unknown as Readonly<Record<string, unknown>>)[field.localName];
}
