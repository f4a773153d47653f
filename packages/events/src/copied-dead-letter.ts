import { DELIVERIES_HEADER, DURABLE_HEADER, ERROR_HEADER } from './jetstream/dead-letters.ts';
import type { CopiedMessage } from './jetstream/stream-copy.ts';
import type { StoredDeadLetter } from './local/dead-letters.ts';

/** The message that carries a dead letter of one process on a broker. */
export function copiedDeadLetter(stored: StoredDeadLetter): CopiedMessage {
  const { _id, durable, envelope, error, deliveries } = stored;
  return {
    subject: `-dead.${durable}`,
    headers: {
      // Encoded because a header must not contain line breaks.
      'Nats-Msg-Id': encodeURIComponent(_id),
      [DURABLE_HEADER]: durable,
      [ERROR_HEADER]: JSON.stringify(error),
      [DELIVERIES_HEADER]: String(deliveries),
    },
    data: envelope,
  };
}
