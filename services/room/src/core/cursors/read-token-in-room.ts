import type { Requester } from '@steward/rpc';
import type { Deps } from '../deps.ts';
import { readTokenParameter } from '../model/position.ts';
import type { Token } from '../protocol/mod.ts';
import { findCursor } from './cursors.ts';

/**
 * Reads the token of a request about one room (client-plane.md 10.1). A sync token is converted to the position up to
 * which the client knows the room; if that is not stored, the sync token is returned.
 *
 * @throws refuse.unknown for an invalid token
 */
export async function readTokenInRoom(
  deps: Pick<Deps, 'cursors' | 'events' | 'clock'>,
  caller: Requester,
  roomId: string,
  text: string | undefined,
): Promise<Token | undefined> {
  const token = readTokenParameter(text);
  if (text === undefined || token?.kind !== 'sync' || token.position === 0) return token;
  const arrival = (await findCursor(deps, caller, text))?.rooms.get(roomId)?.arrival;
  if (arrival === undefined) return token;
  const [last] = await deps.events
    .find(
      { room_id: roomId, arrival: { $gte: 1, $lte: arrival } },
      { sort: { arrival: -1 }, projection: { depth: 1 }, limit: 1 },
    )
    .toArray();
  return last ? { kind: 'room', depth: last.depth, arrival } : token;
}
