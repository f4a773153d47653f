import type { PublicStream, Report } from '@steward/events';
import { pauseUntil } from '@steward/kernel';
import { NOT_FLUSHED } from '@steward/store';
import type { FeedDeps } from './feed-deps.ts';
import { envelopeJson, type FeedEvent } from './feed-event.ts';
import { loadHead } from './feed-head-aggregate.ts';
import type { FeedTail } from './feed-tail.ts';

/** The id of the cursor. */
const CURSOR = 'nats';

/** How long a process waits after another one has published, or after a failure: long enough that one does the work. */
const STANDBY = { minMs: 1_000, maxMs: 5_000 } as const;

/** Publishes the events of the feed to the public stream. */
export interface FeedPublisher {
  /** Waits for the running publication, and begins no other. */
  close(): Promise<void>;
}

/**
 * Starts the publisher of a process. It publishes the events in their order, each behind the one that the stream has last, so
 * that no event is published twice or passed over, whichever processes publish: the broker refuses what another one came before
 * with, and that process then stands by.
 *
 * The last message of the stream says how far publishing got. Where it says nothing, because it is past its retention or from
 * before the store was restored, the cursor in the store does.
 */
export function startFeedPublisher(
  deps: FeedDeps & { readonly feedTail: FeedTail },
  stream: PublicStream,
  report: Report,
  { minMs, maxMs }: { readonly minMs: number; readonly maxMs: number } = STANDBY,
): FeedPublisher {
  const closing = new AbortController();
  const publishFrom = async ({ seq, position }: Place): Promise<void> => {
    let last = seq;
    for await (const events of deps.feedTail.follow(position, closing.signal)) {
      for (const event of events) {
        if (closing.signal.aborted) return;
        const stored = await stream.publish({ ...event, json: envelopeJson(event) }, last);
        if (stored === undefined) return;
        last = stored;
      }
      const end = events.at(-1)?.position ?? position;
      await deps.feedCursors.updateOne(
        { _id: CURSOR },
        { $set: { position: end } },
        { ...NOT_FLUSHED, upsert: true },
      );
    }
  };
  let isFailing = false;
  const run = async () => {
    while (!closing.signal.aborted) {
      try {
        const place = await placeOf(deps, stream);
        isFailing = false;
        await publishFrom(place);
      } catch (error) {
        if (!isFailing && !closing.signal.aborted) report('events were not published yet', { error });
        isFailing = true;
      }
      await pauseUntil(closing.signal, minMs + deps.random.below(maxMs - minMs));
    }
  };
  const running = run();
  return {
    async close() {
      closing.abort();
      await running;
    },
  };
}

/** The position up to which the events are published, as the store knows: it may be more by now. */
export async function publishedUpTo({ feedCursors }: Pick<FeedDeps, 'feedCursors'>): Promise<number> {
  return (await feedCursors.findOne({ _id: CURSOR }))?.position ?? 0;
}

/** Where publishing continues. */
interface Place {
  /** The number of the last message of the stream. */
  readonly seq: number;
  /** The position of the last event that was published. */
  readonly position: number;
}

async function placeOf(deps: FeedDeps, stream: PublicStream): Promise<Place> {
  const { seq, last } = await stream.end();
  const { last: newest, cut } = await loadHead(deps);
  const cursor = await publishedUpTo(deps);
  const isOfFeed = last !== undefined && last.position <= newest && (await hasEvent(deps, last, cut));
  const position = isOfFeed ? last.position : Math.min(cursor, newest);
  // An event past its retention can no longer be published.
  return { seq, position: Math.max(position, cut) };
}

/** Whether the feed has an event at its position, or had one there. */
async function hasEvent(
  { feedEvents }: FeedDeps,
  { id, position }: Pick<FeedEvent, 'id' | 'position'>,
  cut: number,
): Promise<boolean> {
  const event = await feedEvents.findOne({ _id: id }, { projection: { position: 1 } });
  return event ? event.position === position : position <= cut;
}
