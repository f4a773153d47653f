import type { ListRoomStateRequest } from '@steward/proto/steward/room/v1/admin_rooms_pb.ts';
import type { Deps } from '../deps.ts';
import { existingRoom } from '../rooms/load-room.ts';
import { stateAt } from '../state/state-at.ts';
import { toClientEvents } from '../timeline/client-events.ts';

/** The current state of a room, or its events of one type (behaviour.md 10.4, 13.5). */
export async function listRoomState(deps: Deps, { roomId, type }: ListRoomStateRequest) {
  const { arrival } = await existingRoom(deps, roomId);
  const state: string[] = [];
  for await (const page of stateAt(deps, { roomId, arrival }, type || undefined)) {
    state.push(...(await toClientEvents(deps, page, { form: 'admin' })));
  }
  return { state };
}
