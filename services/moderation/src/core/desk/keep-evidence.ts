import { createHash } from 'node:crypto';
import type { JsonObject } from '@steward/kernel';
import { Conflict } from '@steward/store';
import type { Deps } from '../deps.ts';
import { removeInBatches } from '../remove-in-batches.ts';
import { type SubjectIds, subjectOf } from './subject.ts';

/** How many copies are removed at a time. */
const BATCH = 500;

type EvidenceDeps = Pick<Deps, 'clock' | 'evidence' | 'evidenceRetentionMs' | 'rooms' | 'users'>;

/** Nothing that no copy names. */
const NOTHING = { user_id: null, room_id: null, event_id: null, media_uri: null } as const;

/** Keeps copies of what is reported, before the report is stored: each returns the key of the copy, and nothing when it is gone. */
export const keepEvidence = {
  /** The event in its stored form, and the profile of its sender. */
  async event(
    deps: EvidenceDeps,
    roomId: string,
    eventId: string,
    sender: string,
  ): Promise<string | undefined> {
    const [{ events }, profile] = await Promise.all([
      deps.rooms.describe({ eventIds: [eventId], withEvents: true }),
      deps.users.profileOf(sender),
    ]);
    const found = events.get(eventId);
    if (found?.event === undefined) return undefined;
    const content = {
      event: JSON.parse(found.event) as JsonObject,
      redacted: found.redacted,
      sender: profileOf(sender, profile),
    };
    return keep(deps, { ...NOTHING, kind: 'event', room_id: roomId, event_id: eventId }, content);
  },
  /** The profile of a user. */
  async user(deps: EvidenceDeps, userId: string): Promise<string> {
    const profile = await deps.users.profileOf(userId);
    return keep(deps, { ...NOTHING, kind: 'user', user_id: userId }, { user: profileOf(userId, profile) });
  },
  /** What all see of a room. */
  async room(deps: EvidenceDeps, roomId: string): Promise<string | undefined> {
    const details = await deps.rooms.detailsOf(roomId);
    if (!details) return undefined;
    const { joinedMembers, avatarUrl, canonicalAlias, name, topic, creator } = details;
    const room = {
      ...{ room_id: roomId, name, topic, creator },
      avatar_url: avatarUrl,
      canonical_alias: canonicalAlias,
    };
    const content = { room: { ...room, joined_members: joinedMembers } };
    // Members come and go between two reports, which show the same room nevertheless.
    return keep(deps, { ...NOTHING, kind: 'room', room_id: roomId }, content, { room });
  },
  /** What a report states of a medium. */
  media: (deps: EvidenceDeps, uri: string, medium: JsonObject): Promise<string> =>
    keep(deps, { ...NOTHING, kind: 'media', media_uri: uri }, { medium }),
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

/** Stores a copy, or uses the one of the same state: its retention begins again. */
async function keep(
  { clock, evidence }: EvidenceDeps,
  ids: SubjectIds,
  content: JsonObject,
  compared: JsonObject = content,
): Promise<string> {
  const subject = subjectOf(ids);
  const _id = createHash('sha256')
    .update(JSON.stringify([subject, compared]))
    .digest('base64url');
  const now = clock.now();
  const store = () =>
    evidence.updateOne(
      { _id },
      {
        $max: { last_ts: now },
        $setOnInsert: { subject, content: JSON.stringify(content), first_ts: now },
      },
      { upsert: true },
    );
  await store().catch((error: unknown) => {
    // Another report has stored it concurrently.
    if (error instanceof Conflict) return store();
    throw error;
  });
  return _id;
}

/** Removes the copies that no report has shown for the time of their retention. It is idempotent. */
export function sweepEvidence({ clock, evidence, evidenceRetentionMs }: EvidenceDeps): Promise<void> {
  const cutoff = clock.now() - evidenceRetentionMs;
  return removeInBatches(evidence, { last_ts: { $lt: cutoff } }, { sort: { last_ts: 1 }, size: BATCH });
}
