import { createClient, type Transport } from '@connectrpc/connect';
import { RoomMediaService } from '@steward/proto/steward/room/v1/media_pb.ts';
import { callPeer } from '@steward/rpc';

/** The calls of the media service to the room service. */
export interface Rooms {
  /** Returns a page of the content URIs in a room's events; a URI may occur repeatedly, also on several pages. */
  mediaOf(roomId: string, cursor: number | null): Promise<RoomMedia>;
  /** Returns those of the content URIs that were ever the avatar of a room or of a member. */
  avatarsInUse(uris: readonly string[]): Promise<readonly string[]>;
  /** Returns those of the content URIs, at most 1,000, that an event of a room shows now, as a medium or an avatar. */
  shown(uris: readonly string[]): Promise<readonly string[]>;
  /** Returns the content URIs in a room's events, each once; `undefined` for more than 10,000. */
  shownIn(roomId: string): Promise<readonly string[] | undefined>;
}

/** Media that events of a room show. */
export interface RoomMedia {
  readonly uris: readonly string[];
  /** The start of the next page; null on the last one. */
  readonly next: number | null;
}

/** Calls the room service through a transport. When it cannot be reached, callers are refused as unavailable. */
export function roomsThrough(transport: Transport): Rooms {
  const client = createClient(RoomMediaService, transport);
  return {
    mediaOf: (roomId, cursor) =>
      callPeer(async () => {
        const request = cursor === null ? { roomId } : { roomId, cursor: BigInt(cursor) };
        const { uris, nextCursor } = await client.listRoomMedia(request);
        return { uris, next: nextCursor === undefined ? null : Number(nextCursor) };
      }),
    shown: async (uris) => (await callPeer(() => client.findShownMedia({ uris: [...uris] }))).uris,
    shownIn: (roomId) =>
      callPeer(async () => {
        const { uris, truncated } = await client.listShownMedia({ roomId });
        return truncated ? undefined : uris;
      }),
    avatarsInUse: async (uris) => (await callPeer(() => client.findAvatarsInUse({ uris: [...uris] }))).uris,
  };
}
