import { compareCodePoints, own, ownString } from '@steward/kernel';
import type { Deps } from '../deps.ts';
import { toRoomEvent } from '../model/event-form.ts';
import type { Room } from '../model/room.ts';
import { isRoomId } from '../protocol/mod.ts';
import { stateAt } from '../reading/state-at.ts';

/** A valid `order` of a child: at most 50 printable ASCII characters. */
const ORDER = /^[\x20-\x7e]{1,50}$/;

/** A room that a space names as its child. */
export interface ChildOfSpace {
  readonly roomId: string;
  /** The state event that names it, stripped, as JSON text. */
  readonly stripped: string;
  /** Whether the space suggests it to its members. */
  readonly suggested: boolean;
}

/**
 * The children of a space in its order: first those with an `order`, then the others by the time of their event. A
 * state event without servers in `via` names no child.
 */
export async function childrenOfSpace(
  deps: Pick<Deps, 'states' | 'events'>,
  { _id: roomId, arrival }: Room,
): Promise<readonly ChildOfSpace[]> {
  const children: (ChildOfSpace & { readonly order: string | undefined; readonly ts: number })[] = [];
  for await (const page of stateAt(deps, { roomId, arrival }, 'm.space.child')) {
    for (const document of page) {
      const { type, state_key = '', content, sender, origin_server_ts } = toRoomEvent(document).event;
      const via = own(content, 'via');
      if (!Array.isArray(via) || via.length === 0 || !isRoomId(state_key)) continue;
      const order = ownString(content, 'order');
      children.push({
        roomId: state_key,
        stripped: JSON.stringify({ type, state_key, content, sender, origin_server_ts }),
        suggested: own(content, 'suggested') === true,
        order: order !== undefined && ORDER.test(order) ? order : undefined,
        ts: origin_server_ts,
      });
    }
  }
  return children.sort(
    (a, b) =>
      Number(a.order === undefined) - Number(b.order === undefined) ||
      compareCodePoints(a.order ?? '', b.order ?? '') ||
      a.ts - b.ts ||
      compareCodePoints(a.roomId, b.roomId),
  );
}
