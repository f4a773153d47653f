import type { Deps } from '../deps.ts';

/**
 * The rooms that have an event of a sender, in the order of their ids: also those that the sender has left since, so that it makes no
 * difference what becomes of the memberships meanwhile.
 */
export async function* roomsWithEventsOf(
  { events }: Pick<Deps, 'events'>,
  sender: string,
): AsyncGenerator<string> {
  for (let last = ''; ; ) {
    const next = await events.findOne(
      { sender, room_id: { $gt: last }, arrival: { $gte: 1 } },
      { sort: { room_id: 1 }, projection: { room_id: 1 } },
    );
    if (!next) return;
    last = next.room_id;
    yield last;
  }
}
