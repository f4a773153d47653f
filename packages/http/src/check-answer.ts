import type { DescMessage } from '@bufbuild/protobuf';
import { StartupError } from '@steward/rpc';
import { messagesIn, wireFields } from './wire-field.ts';

/**
 * Checks that the rules of the messages of an answer do not contradict each other.
 *
 * @throws StartupError for two `created` fields or one below the top, for a message flattened into
 *   itself, and for two fields that flattening gives the same key
 */
export function checkAnswer(top: DescMessage): void {
  const created = wireFields(top).filter((field) => field.rules.created);
  if (created.length > 1) throw new StartupError(`${top} has two fields that are created`);
  for (const message of messagesIn(top)) {
    const keys = new Set<string>();
    for (const key of keysOf(message, [])) {
      if (keys.has(key)) throw new StartupError(`${message} has the key '${key}' twice, by flatten`);
      keys.add(key);
    }
    const nested = message === top ? undefined : wireFields(message).find((field) => field.rules.created);
    if (nested) throw new StartupError(`created at the field '${nested.name}' of ${message}, below the top`);
  }
}

function keysOf(message: DescMessage, around: readonly DescMessage[]): string[] {
  if (around.includes(message)) throw new StartupError(`${message} is flattened into itself`);
  return wireFields(message).flatMap(({ key, shape, rules }) =>
    rules.flatten && shape.kind === 'message' ? keysOf(shape.message, [...around, message]) : [key],
  );
}
