import type { Site } from './site.ts';

/** Where a room may be named that is no more. */
const MAY_NAME: readonly ((collection: string) => boolean)[] = [
  // What is told about its deletion, for a day.
  (collection) => collection.includes('.task'),
  (collection) => collection === 'room.blocks',
  // What administrators did.
  (collection) => collection.startsWith('moderation.audit'),
  // How much clients know, until they ask again or a month is over.
  (collection) => collection === 'room.cursors',
];

/**
 * The documents that are left of rooms, a line each; events that were sent there are known by the ids of the rooms.
 * What was about to happen there when they went, and was never admitted, is seen by nobody, and swept after an hour.
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
