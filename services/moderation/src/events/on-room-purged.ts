import type { RoomPurged } from '@steward/proto/steward/event/v1/room_pb.ts';
import type { Deps } from '../core/deps.ts';
import { hideReportsOf } from '../core/reported-rooms.ts';

/** Hides the reports of events of a removed room (behaviour.md 9.1). */
export async function onRoomPurged(
  deps: Pick<Deps, 'reportedRooms' | 'eventReports'>,
  { roomId }: RoomPurged,
): Promise<void> {
  await hideReportsOf(deps, [roomId]);
}
