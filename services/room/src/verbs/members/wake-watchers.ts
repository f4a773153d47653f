import type { WakeWatchersRequest } from '@steward/proto/steward/room/v1/visibility_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { encryptedRoomsOf } from '../../core/device-lists/shares-encryption.ts';
import { roomTopic } from '../../core/model/topics.ts';

/** Wakes the clients that wait for changes in the encrypted rooms of a user; for another service. */
export async function wakeWatchers(deps: Deps, { userId }: WakeWatchersRequest) {
  for (const roomId of await encryptedRoomsOf(deps, userId)) deps.bus.notify(roomTopic(roomId));
  return {};
}
