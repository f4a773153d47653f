import { type DescField, getOption, hasOption, type Message } from '@bufbuild/protobuf';
import { field as fieldOption } from '@steward/proto/steward/http/v1/annotations_pb.ts';

/** What a field declares that matters to the audit log. */
export interface FieldWords {
  /** Whether it holds what nobody is to read later. */
  readonly redacted: boolean;
  /** Whether a change is about what it names. */
  readonly target: boolean;
  /** Whether it is the id of a task that was begun. */
  readonly task: boolean;
  /** Whether it says that something was created. */
  readonly created: boolean;
}

const known = new WeakMap<DescField, FieldWords>();

/** What a field declares. It is decoded once, because reading an option decodes it anew. */
export function wordsOf(field: DescField): FieldWords {
  const words = known.get(field) ?? decode(field);
  known.set(field, words);
  return words;
}

function decode(field: DescField): FieldWords {
  const redacted = field.proto.options?.debugRedact ?? false;
  if (!hasOption(field, fieldOption)) return { redacted, target: false, task: false, created: false };
  const { target, task, created } = getOption(field, fieldOption);
  return { redacted, target, task, created };
}

/** What a message holds in a field. */
export function fieldValue(message: Message, field: DescField): unknown {
  return (message as unknown as Readonly<Record<string, unknown>>)[field.localName];
}
