import type { Site } from './site.ts';

/** Collections that may refer to a purged room. */
const MAY_NAME: readonly ((collection: string) => boolean)[] = [
  // The status of its deletion, for a day.
  (collection) => collection.includes('.task'),
  (collection) => collection === 'room.blocks',
  // The audit log, and the feed.
  (collection) => collection.startsWith('moderation.audit') || collection === 'moderation.feed_events',
  // The sync cursors of clients, until their next sync or for a month; and that the room was purged, as long.
  (collection) => collection === 'room.cursors' || collection === 'room.purged',
];

/**
 * The documents that still refer to purged rooms, a line each; events refer to rooms by the ids of the rooms.
 * Events that were never admitted when the room was purged are invisible and are swept after an hour.
 */
export async function findLeftovers(site: Site, roomIds: ReadonlySet<string>): Promise<readonly string[]> {
  const left = new Map<string, readonly string[]>();
  const unseen = new Set<string>();
  for await (const { collection, document } of site.documents()) {
    if (MAY_NAME.some((allowed) => allowed(collection))) continue;
    const named = [...JSON.stringify(document).matchAll(ROOM_ID)].map(([roomId]) => roomId);
    const lines = named.flatMap((roomId) =>
      roomIds.has(roomId) ? [`${collection} ${document._id} is left of ${roomId}`] : [],
    );
    if (lines.length === 0) continue;
    if (collection === 'room.events' && document.unseen_since !== undefined) {
      unseen.add(String(document._id)).add(`${document.room_id} ${document.state_key}`);
    }
    left.set(String(document._id), lines);
  }
  return [...left].flatMap(([id, lines]) => (unseen.has(id) ? [] : lines));
}

const ROOM_ID = /![A-Za-z0-9_-]+:test/g;
