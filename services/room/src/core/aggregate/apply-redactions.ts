import { type BulkOperation, NOT_FLUSHED } from '@steward/store';
import type { Deps } from '../deps.ts';
import type { EventDocument } from '../model/event-document.ts';
import type { Redaction } from '../model/import-document.ts';
import { type MemberDocument, memberId } from '../model/member.ts';

/** Marks the targets of redactions as redacted. */
export async function markRedacted(
  deps: Pick<Deps, 'events'>,
  redactions: readonly Redaction[],
): Promise<void> {
  const operations = redactions.flatMap(redactionOf);
  if (operations.length > 0) await deps.events.bulkWrite(operations, NOT_FLUSHED);
}

/** The update by which a redaction marks its target; an event that is already redacted keeps its first redaction. */
export function redactionOf(event: Redaction): BulkOperation<EventDocument>[] {
  if (event.redacts === undefined) return [];
  return [
    {
      updateOne: {
        filter: { _id: event.redacts, room_id: event.room_id, redacted_by: null },
        update: { $set: { redacted_by: event._id, media: [] }, $unset: { avatar: true, other_media: true } },
      },
    },
  ];
}

/** Removes the profiles of members whose current member event is the target of a redaction. */
export async function redactMembers(
  deps: Pick<Deps, 'events' | 'members'>,
  events: readonly Redaction[],
): Promise<void> {
  const targets = events.flatMap(({ redacts }) => (redacts === undefined ? [] : [redacts]));
  if (targets.length === 0) return;
  const redacted = await deps.events.find({ _id: { $in: targets }, type: 'm.room.member' }).toArray();
  const operations = redacted.flatMap(({ _id, room_id, state_key }): BulkOperation<MemberDocument>[] =>
    state_key === undefined
      ? []
      : [
          {
            updateOne: {
              filter: { _id: memberId(room_id, state_key), event_id: _id },
              update: { $set: { displayname: null, avatar_url: null } },
            },
          },
        ],
  );
  if (operations.length > 0) await deps.members.bulkWrite(operations, NOT_FLUSHED);
}
