import { furtherFields, id, list, mark, object, oneOf, optional, text, whole } from '@steward/records';
import type { EventDocument, StateRange } from '../model/event-document.ts';
import type { Room } from '../model/room.ts';

/** What no record of a room needs, because it is a field of the message or follows from events. */
type OfRoom = Exclude<keyof Room, 'horizon' | 'purged_by' | 'founded_by' | 'upgrade_of'>;

/** The fields of rooms that no message has. */
export const furtherOfRoom = furtherFields<Room, OfRoom>({
  horizon: optional(
    object<NonNullable<Room['horizon']>>('Where its history was purged: the first event that it shows.', {
      depth: whole('The depth.'),
      arrival: whole('The `arrival`, see `events`.'),
    }),
  ),
  purged_by: optional(id('The task that last purged its history.')),
  founded_by: optional(id('The task that created it.')),
  upgrade_of: optional(id('The room that it replaces; left out once the upgrade is complete.')),
});

/** What of a stored event does not follow from the event. */
type Kept =
  | 'arrival'
  | 'redacted_by'
  | 'stay'
  | 'forgets'
  | 'own_profile'
  | 'txn'
  | 'txn_id'
  | 'session'
  | 'ordered_by'
  | 'shows_order'
  | 'in_state'
  | 'replaces_in_branch';

/** The fields of `stored` in records of events. */
export const storedOfEvent = furtherFields<EventDocument, Exclude<keyof EventDocument, Kept>>({
  arrival: optional(
    whole(
      'Its position in the order of its room, from 1. The next one when left out, or when it is not above that of the line before.',
    ),
  ),
  redacted_by: optional(
    id(
      'The event that has redacted it: a redaction, or a ban that redacts what its user has sent. An event that was loaded before is redacted.',
    ),
  ),
  stay: optional(whole('Of a member event that begins a membership: the number of the membership.')),
  forgets: mark('Of a member event: whether the user also forgets the room.'),
  own_profile: optional(
    list(
      oneOf(
        ['avatar_url', 'displayname'],
        'Of a join: what of the profile its user has chosen for this room.',
      ),
    ),
  ),
  txn: optional(
    text(
      'The key of the transaction that sent it, so that its repetition sends nothing: the SHA-256 in URL-safe base64 of the JSON list of `session`, `["send", room_id, type]` or `["redact", room_id, redacted event]`, and `txn_id`.',
    ),
  ),
  txn_id: optional(text('The id of the transaction.')),
  session: optional(
    text('The session that is shown the id of the transaction: the JSON list of user and device.'),
  ),
  ordered_by: optional(text('The administrator on whose order a member sent it.')),
  shows_order: mark('Whether members see that.'),
  in_state: optional(
    list(
      object<StateRange>(
        'Of a state event of a history that has forked: the ranges of positions at which it is part of the state, in their order, where they do not follow from the order of the events. An event that was loaded before gets them.',
        {
          from: whole('The first `arrival`.'),
          until: optional(
            whole(
              'The `arrival` after the last one; left out in the last range: until another event replaces it.',
            ),
          ),
        },
      ),
    ),
  ),
  replaces_in_branch: optional(
    text(
      'Of a state event of such a history: the state event that it replaced in its branch, where that is not the last one before it; empty for none. An event that was loaded before gets it, together with `in_state`.',
    ),
  ),
});
