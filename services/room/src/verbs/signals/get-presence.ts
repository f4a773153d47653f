import { refuse } from '@steward/errors';
import type { GetPresenceRequest } from '@steward/proto/steward/room/v1/signals_pb.ts';
import { isUserId } from '../../core/protocol/mod.ts';

/** Answers that the user is offline, because presence is not stored (client-plane.md 7.10). */
export async function getPresence({ userId }: GetPresenceRequest) {
  if (!isUserId(userId)) throw refuse.invalidParam('This is not a user id');
  return { presence: 'offline' };
}
