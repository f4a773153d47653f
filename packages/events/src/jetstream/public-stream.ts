import { JetStreamApiError } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import type { PublicMessage, PublicStream } from '../bus.ts';
import { BusUnavailable } from '../errors.ts';
import { ensurePublicStream } from './ensure-streams.ts';
import type { Link } from './link.ts';
import type { Names } from './names.ts';

/** The header with the position of an event of the feed. */
const POSITION_HEADER = 'Steward-Position';

/** The header in which the broker has the id of a message. */
const ID_HEADER = 'Nats-Msg-Id';

/** The broker's error code when the stream has another last message than expected. */
const WRONG_LAST_SEQUENCE = 10_071;

/** Opens the public stream behind a link. The stream is created with its first use, if it is missing. */
export function openPublicStream(
  link: Link,
  names: Names,
  settings: { readonly replicas: number; readonly retentionMs: number },
): PublicStream {
  return {
    async end() {
      try {
        return await link.request(async ({ jsm }) => {
          const { state } = await ensurePublicStream(jsm, names, settings);
          const seq = state.last_seq;
          const message = seq > 0 ? await jsm.direct.getMessage(names.publicStream, { seq }) : null;
          if (!message) return { seq };
          const { header } = message;
          const last = {
            id: decodeURIComponent(header.get(ID_HEADER)),
            position: Number(header.get(POSITION_HEADER)),
          };
          return { seq, last };
        });
      } catch (cause) {
        throw new BusUnavailable('The broker did not answer', { cause });
      }
    },
    async publish({ id, type, position, json }: PublicMessage, seq) {
      const about = headers();
      about.set(POSITION_HEADER, String(position));
      try {
        const stored = await link.request(({ js }) =>
          js.publish(names.publicSubject(type), json, {
            msgID: encodeURIComponent(id),
            headers: about,
            expect: { lastSequence: seq },
          }),
        );
        return stored.duplicate ? undefined : stored.seq;
      } catch (cause) {
        if (cause instanceof JetStreamApiError && cause.code === WRONG_LAST_SEQUENCE) return undefined;
        throw new BusUnavailable('The broker did not take the event', { cause });
      }
    },
  };
}
