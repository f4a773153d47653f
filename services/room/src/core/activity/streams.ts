import { type ActivityStream, newestOf } from '@steward/activity';
import { ownString } from '@steward/kernel';
import type { Deps } from '../deps.ts';
import type { EventDocument } from '../model/event-document.ts';
import { originalEvent } from '../model/event-form.ts';

/** What the service knows of the activity of a user: member events, in the order in which they were received. */
export function activityStreams({ events }: Pick<Deps, 'events'>): readonly ActivityStream[] {
  return [
    {
      name: 'membership',
      read: (page) =>
        newestOf<EventDocument>(events, page, {
          filter: {
            state_key: page.userId,
            // Only member events have it, and only they are in the index.
            previous_membership: { $gte: '' },
            arrival: { $gt: 0 },
            rejected: { $ne: true },
            soft_failed: { $ne: true },
          },
          time: 'received_ts',
          ties: 1,
          entry: (document) => ({
            roomId: document.room_id,
            membership: ownString(originalEvent(document).event.content, 'membership') ?? '',
            previousMembership: document.previous_membership ?? '',
            sender: document.sender,
            eventId: document._id,
          }),
        }),
    },
  ];
}
