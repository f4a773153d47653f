import { mediaUploadMatched, type OutgoingEvent, outgoing } from '@steward/events';
import { occurrence } from '@steward/feed';
import { MediaUploadMatchedSchema } from '@steward/proto/steward/feed/v1/media_pb.ts';
import { NOT_FLUSHED } from '@steward/store';
import type { Deps } from '../deps.ts';
import type { ListedHash } from '../model/listed-hash.ts';

/** What matching an upload depends on. */
export type MatchDeps = Pick<Deps, 'hashes' | 'outbox' | 'relay' | 'clock'>;

/** An upload whose content is listed. */
export interface MatchedUpload {
  readonly userId: string;
  readonly origin: string;
  readonly mediaId: string;
  /** What happens to it. */
  readonly outcome: 'refused' | 'quarantined';
}

/** Returns what the list of known-bad content says of a hash; null if it is not listed. */
export function findListed({ hashes }: Pick<Deps, 'hashes'>, sha256: string): Promise<ListedHash | null> {
  return hashes.findOne({ _id: sha256 });
}

/**
 * Records that an upload matched: in the feed, in the list, and as a report if the list says so. The same upload is recorded once,
 * however often this is repeated.
 */
export async function recordMatch(deps: MatchDeps, listed: ListedHash, upload: MatchedUpload): Promise<void> {
  const now = deps.clock.now();
  await deps.outbox.add(factsOf(listed, upload, now));
  deps.relay.notify();
  await deps.hashes.updateOne({ _id: listed._id }, { $set: { last_match_ts: now } }, NOT_FLUSHED);
}

function factsOf(
  { _id: sha256, open_report, source, note }: ListedHash,
  { userId, origin, mediaId, outcome }: MatchedUpload,
  timeMs: number,
): readonly OutgoingEvent[] {
  const about = { timeMs, aggregate: `upload ${mediaId}`, traceparent: '', requester: userId };
  const isStored = outcome === 'quarantined';
  const contentUri = `mxc://${origin}/${mediaId}`;
  const event = occurrence(
    MediaUploadMatchedSchema,
    {
      userId,
      sha256,
      outcome,
      ...(isStored ? { mediaId } : {}),
      ...(source === null ? {} : { source }),
    },
    {
      ...about,
      id: `${mediaId}.matched`,
      sequence: 0,
      actor: userId,
      targets: [userId, sha256, ...(isStored ? [contentUri] : [])],
    },
  );
  if (!open_report) return [event];
  const matched = {
    userId,
    sha256,
    contentUri,
    refused: !isStored,
    source: source ?? '',
    note: note ?? '',
  };
  return [event, outgoing(mediaUploadMatched, matched, { ...about, id: `${mediaId}.reported`, sequence: 1 })];
}
