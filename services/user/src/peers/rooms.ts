import { createClient, type Transport } from '@connectrpc/connect';
import { VisibilityService } from '@steward/proto/steward/room/v1/visibility_pb.ts';
import { asked } from '@steward/rpc';

/** What the user directory must know of rooms, which another service keeps. */
export interface Rooms {
  /**
   * Which of the candidates somebody may find: those with whom the searcher shares a room, and those who
   * are in any public room. A call names at most some hundreds.
   */
  visibleTo(searcher: string, candidates: readonly string[]): Promise<ReadonlySet<string>>;
}

/** The rooms of a server that has none. */
export const noRooms: Rooms = { visibleTo: async () => new Set() };

/** Asks the room service behind a transport. When it cannot be reached, callers are asked to try again later. */
export function roomsThrough(transport: Transport): Rooms {
  const client = createClient(VisibilityService, transport);
  return {
    async visibleTo(searcher, candidates) {
      const question = { searcher, candidates: [...candidates] };
      return new Set((await asked(() => client.findVisibleUsers(question))).userIds);
    },
  };
}
