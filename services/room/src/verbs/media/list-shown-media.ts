import type { ListShownMediaRequest } from '@steward/proto/steward/room/v1/media_pb.ts';
import type { Deps } from '../../core/deps.ts';

/** The most content URIs of an answer. */
const MAX_URIS = 10_000;

/** The most events that are read for an answer; several may show the same medium. */
const MAX_EVENTS = 50_000;

/** Every content URI begins so. */
const SCHEME = 'mxc:';

/** Returns the media that a room's events show now, if they are not too many; for other services. */
export async function listShownMedia(
  { events }: Pick<Deps, 'events'>,
  { roomId }: Pick<ListShownMediaRequest, 'roomId'>,
): Promise<{ uris: string[]; truncated: boolean }> {
  const uris = new Set<string>();
  const shows = { room_id: roomId, media: { $gte: SCHEME }, arrival: { $gte: 1 } };
  const found = await events.find(shows, { limit: MAX_EVENTS + 1, projection: { media: 1 } }).toArray();
  for (const { media } of found) for (const uri of media) uris.add(uri);
  const truncated = found.length > MAX_EVENTS || uris.size > MAX_URIS;
  return { uris: [...uris].slice(0, MAX_URIS), truncated };
}
