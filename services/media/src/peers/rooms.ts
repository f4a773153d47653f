import { createClient, type Transport } from '@connectrpc/connect';
import { RoomMediaService } from '@steward/proto/steward/room/v1/media_pb.ts';
import { callPeer } from '@steward/rpc';

/** What the media service asks the room service for. */
export interface Rooms {
  /** A page of the content URIs that a room's events show; one may come twice, and on several pages. */
  mediaOf(roomId: string, cursor: number | null): Promise<RoomMedia>;
  /** Which of the content URIs were ever the avatar of a room or of a member. */
  avatarsInUse(uris: readonly string[]): Promise<readonly string[]>;
}

/** Media that events of a room show. */
export interface RoomMedia {
  readonly uris: readonly string[];
  /** Where the next page starts; null on the last one. */
  readonly next: number | null;
}

/** Asks the room service behind a transport. When it cannot be reached, callers are refused as unavailable. */
export function roomsThrough(transport: Transport): Rooms {
  const client = createClient(RoomMediaService, transport);
  return {
    mediaOf: (roomId, cursor) =>
      callPeer(async () => {
        const request = cursor === null ? { roomId } : { roomId, cursor: BigInt(cursor) };
        const { uris, nextCursor } = await client.listRoomMedia(request);
        return { uris, next: nextCursor === undefined ? null : Number(nextCursor) };
      }),
    avatarsInUse: async (uris) => (await callPeer(() => client.findAvatarsInUse({ uris: [...uris] }))).uris,
  };
}
