import type { JetStreamManager, StoredMsg } from '@nats-io/jetstream';

/** The messages of one read. */
const BATCH = 500;

/** The broker's error code when it has no message to read. */
const NOT_FOUND = 404;

/** Reads the messages of a stream that have these numbers, in order: all of them, or those of one subject. */
export async function* readMessages(
  jsm: JetStreamManager,
  stream: string,
  first: number,
  last: number,
  subject?: string,
): AsyncGenerator<StoredMsg> {
  const filter = subject === undefined ? {} : { next_by_subj: subject };
  for (let seq = first; seq <= last; ) {
    const read: StoredMsg[] = [];
    try {
      for await (const message of await jsm.direct.getBatch(stream, { seq, batch: BATCH, ...filter }))
        read.push(message);
    } catch (error) {
      // No message has this number or a higher one.
      if ((error as { code?: unknown }).code !== NOT_FOUND) throw error;
    }
    for (const message of read) if (message.seq <= last) yield message;
    const end = read.at(-1);
    if (!end) return;
    seq = end.seq + 1;
  }
}
