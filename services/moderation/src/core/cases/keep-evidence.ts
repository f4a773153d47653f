import { digestOf, type JsonObject } from '@steward/kernel';
import { Conflict, type Filter, removeInBatches } from '@steward/store';
import type { Deps } from '../deps.ts';
import type { Evidence, KeptEvidence } from '../model/evidence.ts';
import { type SubjectIds, subjectOf } from './subject.ts';

/** In which time new copies are counted, in milliseconds: a day. */
const DAY_MS = 24 * 60 * 60 * 1_000;

/** How many new copies are kept in a day: their number, and their size in bytes. */
interface Bound {
  readonly copies: number;
  readonly bytes: number;
}

/**
 * Of one subject: it changes its state, and others report it again. Large enough that those who report what they changed themselves do
 * not soon keep others from reporting it with a copy.
 */
const OF_SUBJECT: Bound = { copies: 100, bytes: 1024 * 1024 };

/** Of the reports of one user. */
const OF_REPORTER: Bound = { copies: 1_000, bytes: 32 * 1024 * 1024 };

/** How many copies are removed at a time. */
const BATCH = 500;

type EvidenceDeps = Pick<Deps, 'clock' | 'evidence' | 'evidenceRetentionMs' | 'rooms' | 'users'>;

/** Nothing that no copy names. */
const NOTHING = { user_id: null, room_id: null, event_id: null, media_uri: null } as const;

/**
 * Keeps copies of what is reported, before the report is stored: each returns what the report says of its copy, nothing when what was
 * reported is gone. The reporter is the one whose copies are counted.
 */
export const keepEvidence = {
  /** The event in its stored form, and the profile of its sender. */
  async event(
    deps: EvidenceDeps,
    reporter: string,
    {
      roomId,
      eventId,
      sender,
    }: { readonly roomId: string; readonly eventId: string; readonly sender: string },
  ): Promise<KeptEvidence> {
    const [{ events }, profile] = await Promise.all([
      deps.rooms.describe({ eventIds: [eventId], withEvents: true }),
      deps.users.profileOf(sender),
    ]);
    const found = events.get(eventId);
    if (found?.event === undefined) return {};
    const content = {
      event: JSON.parse(found.event) as JsonObject,
      redacted: found.redacted,
      sender: profileOf(sender, profile),
    };
    return keep(deps, reporter, { ...NOTHING, kind: 'event', room_id: roomId, event_id: eventId }, content);
  },
  /** The profile of a user. */
  async user(deps: EvidenceDeps, reporter: string, userId: string): Promise<KeptEvidence> {
    const content = { user: profileOf(userId, await deps.users.profileOf(userId)) };
    return keep(deps, reporter, { ...NOTHING, kind: 'user', user_id: userId }, content);
  },
  /** What all see of a room. */
  async room(deps: EvidenceDeps, reporter: string, roomId: string): Promise<KeptEvidence> {
    const details = await deps.rooms.detailsOf(roomId);
    if (!details) return {};
    const { joinedMembers, avatarUrl, canonicalAlias, name, topic, creator } = details;
    const room = {
      ...{ room_id: roomId, name, topic, creator },
      avatar_url: avatarUrl,
      canonical_alias: canonicalAlias,
    };
    const content = { room: { ...room, joined_members: joinedMembers } };
    // Members come and go between two reports, which show the same room nevertheless.
    return keep(deps, reporter, { ...NOTHING, kind: 'room', room_id: roomId }, content, { room });
  },
  /** What a report states of a medium; it is counted for its uploader. */
  media: (deps: EvidenceDeps, uploader: string, uri: string, medium: JsonObject): Promise<KeptEvidence> =>
    keep(deps, uploader, { ...NOTHING, kind: 'media', media_uri: uri }, { medium }),
} as const;

function profileOf(
  userId: string,
  profile: { displayName: string | null; avatarUrl: string | null } | undefined,
) {
  return {
    user_id: userId,
    displayname: profile?.displayName ?? null,
    avatar_url: profile?.avatarUrl ?? null,
  };
}

/**
 * Stores a copy, or uses the one of the same state: its retention begins again. Reports that arrive at the same time can exceed a bound by
 * one copy each.
 */
async function keep(
  deps: EvidenceDeps,
  reporter: string,
  ids: SubjectIds,
  content: JsonObject,
  compared: JsonObject = content,
): Promise<KeptEvidence> {
  const { clock, evidence } = deps;
  const subject = subjectOf(ids);
  const _id = digestOf([subject, compared]).toString('base64url');
  const now = clock.now();
  const $max = { last_ts: now };
  const { matchedCount } = await evidence.updateOne({ _id }, { $max });
  if (matchedCount > 0) return { evidence: _id };
  const text = JSON.stringify(content);
  const bytes = Buffer.byteLength(text);
  if (await exceeds(deps, { subject }, OF_SUBJECT, bytes)) return { no_evidence: 'subject_limit' };
  if (await exceeds(deps, { reporter }, OF_REPORTER, bytes)) return { no_evidence: 'reporter_limit' };
  const $setOnInsert = { subject, reporter, bytes, content: text, first_ts: now };
  const store = () => evidence.updateOne({ _id }, { $max, $setOnInsert }, { upsert: true });
  await store().catch((error: unknown) => {
    // Another report has stored it concurrently.
    if (error instanceof Conflict) return store();
    throw error;
  });
  return { evidence: _id };
}

/** Whether a further copy with this number of bytes would exceed a bound within the last day. */
async function exceeds(
  { clock, evidence }: EvidenceDeps,
  which: Filter<Evidence>,
  bound: Bound,
  bytes: number,
): Promise<boolean> {
  const today = { ...which, first_ts: { $gt: clock.now() - DAY_MS } };
  const found = await evidence.find(today, { limit: bound.copies, projection: { bytes: 1 } }).toArray();
  const kept = found.reduce((sum, copy) => sum + (copy.bytes ?? 0), 0);
  return found.length === bound.copies || kept + bytes > bound.bytes;
}

/** Removes the copies that no report has shown for the time of their retention. It is idempotent. */
export async function sweepEvidence({ clock, evidence, evidenceRetentionMs }: EvidenceDeps): Promise<void> {
  const cutoff = clock.now() - evidenceRetentionMs;
  await removeInBatches(evidence, { last_ts: { $lt: cutoff } }, { sort: { last_ts: 1 }, size: BATCH });
}
