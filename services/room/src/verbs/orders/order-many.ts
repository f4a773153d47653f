import type { HandlerContext } from '@connectrpc/connect';
import { reportEvent } from '@steward/audit';
import { refuse } from '@steward/errors';
import { RoomOrderCreatedSchema } from '@steward/proto/steward/feed/v1/rooms_pb.ts';
import { callId, requester } from '@steward/rpc';
import { existingRoom } from '../../core/aggregate/load-room.ts';
import { requireRoomId } from '../../core/aliases/named-room.ts';
import type { Deps } from '../../core/deps.ts';
import { createRoomOrder, type OrderAction } from '../../core/orders/room-order.ts';
import { isEventId, isUserId } from '../../core/protocol/mod.ts';

/** The most targets of an order for one room. */
const MAX_TARGETS = 1_000;

/** The targets as a request names them. */
interface GivenTargets {
  readonly one: string | undefined;
  readonly many: readonly string[];
  /** The names of the two fields. */
  readonly fields: readonly [one: string, many: string];
}

/**
 * The only target of a request; undefined if it names several.
 *
 * @throws refuse.missingParam without targets; refuse.invalidParam for both kinds, or too many
 */
export function onlyTarget({ one, many, fields }: GivenTargets): string | undefined {
  const [ofOne, ofMany] = fields;
  if (one === undefined && many.length === 0)
    throw refuse.missingParam(`'${ofOne}' or '${ofMany}' is required`);
  if (one !== undefined && many.length > 0)
    throw refuse.invalidParam(`Only one of '${ofOne}' and '${ofMany}' is possible`);
  if (many.length > MAX_TARGETS) throw refuse.invalidParam(`'${ofMany}' has at most ${MAX_TARGETS} ids`);
  return one;
}

/** An order for several users or events of a room. */
interface ManyOrder {
  readonly action: OrderAction;
  readonly roomId: string;
  readonly targets: readonly string[];
  readonly reason: string | undefined;
}

/**
 * Creates the task of an order for several users or events of a room; a target that occurs twice is one.
 *
 * @throws refuse.invalidParam for a text that is not an id; refuse.unknown and refuse.notFound for the room
 */
export async function orderMany(
  deps: Deps,
  order: ManyOrder,
  context: HandlerContext,
): Promise<{ readonly taskId: string }> {
  const { action, roomId, reason } = order;
  const targets = await checkedTargets(deps, order);
  const scope = { room: roomId, targets };
  const actor = requester(context).owner;
  const taskId = await createRoomOrder(deps, {
    id: callId(context),
    action,
    reason: reason ?? null,
    scope,
    actor,
  });
  reportEvent(context, RoomOrderCreatedSchema, { roomId, action, count: BigInt(targets.length) });
  return { taskId };
}

/** The targets of an order that was checked, each once. */
export async function checkedTargets(
  deps: Deps,
  { action, roomId, targets }: Pick<ManyOrder, 'action' | 'roomId' | 'targets'>,
): Promise<readonly string[]> {
  requireRoomId(roomId);
  const isId = action === 'redact' ? isEventId : isUserId;
  if (!targets.every(isId))
    throw refuse.invalidParam(`Not ${action === 'redact' ? 'an event' : 'a user'} id`);
  await existingRoom(deps, roomId);
  return [...new Set(targets)];
}
