import { createHash } from 'node:crypto';
import { Code, ConnectError } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { idOf, parseUserId } from '@steward/kernel';
import { type CarryOutOrderRequest, RoomOrder } from '@steward/proto/steward/room/v1/report_orders_pb.ts';
import { type Rights, requireAuthority } from '@steward/rpc';
import { Conflict } from '@steward/store';
import { isOpen } from '@steward/tasks';
import { blockRoom } from '../../core/aggregate/block-room.ts';
import { requireRoomId } from '../../core/aliases/named-room.ts';
import { createDeletion } from '../../core/deletion/create-deletion.ts';
import {
  DEFAULT_MESSAGE,
  DEFAULT_ROOM_NAME,
  DELETE_ROOM,
  type DeletionParams,
  paramsOf,
} from '../../core/deletion/deletion.ts';
import type { Deps } from '../../core/deps.ts';
import { requireNewRoom } from '../../core/moves/new-room.ts';
import { orderMembership } from '../../core/orders/order-membership.ts';
import { orderRedaction } from '../../core/orders/order-redaction.ts';
import { createRoomOrder } from '../../core/orders/room-order.ts';
import { isUserId } from '../../core/protocol/mod.ts';
import {
  DEFAULT_REDACTION_LIMIT,
  REDACT_USER,
  type UserRedactionParams,
} from '../../core/user-redaction/user-redaction.ts';

/** What came of an order. */
interface CarriedOut {
  /** The task that carries it out; absent if that was done at once. */
  readonly taskId?: string;
  /** The event that was sent; absent for none. */
  readonly eventId?: string;
}

/** How an order is checked, and carried out. Both throw the refusals of the method whose work it is. */
interface Handling {
  readonly check: () => Promise<void>;
  readonly carryOut: () => Promise<CarriedOut>;
}

/**
 * Carries out what the resolution of a report orders of rooms, once by the id of the order: events have it in their transaction, tasks
 * an id that follows from it.
 *
 * @throws the refusals of the method whose work it is
 */
export async function carryOutOrder(deps: Deps, request: CarryOutOrderRequest): Promise<CarriedOut> {
  const { check, carryOut } = handlingOf(deps, request);
  if (!request.checkOnly) return carryOut();
  await check();
  return {};
}

function handlingOf(deps: Deps, request: CarryOutOrderRequest): Handling {
  switch (request.order) {
    case RoomOrder.REDACT_EVENT:
      return redaction(deps, request);
    case RoomOrder.KICK:
      return membership(deps, request, 'leave');
    case RoomOrder.BAN:
      return membership(deps, request, 'ban');
    case RoomOrder.BAN_EVERYWHERE:
      return banEverywhere(deps, request);
    case RoomOrder.REDACT_USER:
      return userRedaction(deps, request);
    case RoomOrder.BLOCK:
      return block(deps, request);
    case RoomOrder.DELETE:
      return deletion(deps, request);
    default:
      throw new ConnectError('This release does not know the order', Code.InvalidArgument);
  }
}

function redaction(
  deps: Deps,
  { orderId, requestedBy: actor, requesterScopes, reason, roomId, eventId }: CarryOutOrderRequest,
): Handling {
  const rights = rightsOf(requesterScopes);
  return {
    async check() {
      const projection = { room_id: 1, arrival: 1, sender: 1 } as const;
      const event = await deps.events.findOne({ _id: eventId }, { projection });
      if (event?.arrival === undefined || event.room_id !== roomId) throw refuse.notFound('Event not found');
      await requireAuthority(deps.authority, rights, [event.sender]);
    },
    async carryOut() {
      const ordered = await orderRedaction(deps, { roomId, eventId, reason, actor, rights, orderId });
      return { eventId: ordered.eventId };
    },
  };
}

function membership(
  deps: Deps,
  { orderId, requestedBy: actor, requesterScopes, reason, roomId, userId: target }: CarryOutOrderRequest,
  changedTo: 'ban' | 'leave',
): Handling {
  return {
    async check() {
      if (!isUserId(target)) throw refuse.invalidParam('Not a user id');
      requireRoomId(roomId);
      const room = await deps.rooms.findOne({ _id: roomId }, { projection: { _id: 1 } });
      if (!room) throw refuse.notFound('Room not found');
    },
    async carryOut() {
      const order = {
        roomId,
        target,
        membership: changedTo,
        reason,
        actor,
        rights: rightsOf(requesterScopes),
        orderId,
      };
      return { eventId: (await orderMembership(deps, order)).eventId };
    },
  };
}

function banEverywhere(
  deps: Deps,
  { orderId, requestedBy: actor, reason, userId: user }: CarryOutOrderRequest,
): Handling {
  const check = async () => {
    if (!isUserId(user)) throw refuse.invalidParam('Not a user id');
  };
  return {
    check,
    async carryOut() {
      await check();
      const id = taskIdOf(orderId);
      const scope = { user, space: null };
      return {
        taskId: await createRoomOrder(deps, { id, action: 'ban', reason: reason ?? null, scope, actor }),
      };
    },
  };
}

function userRedaction(deps: Deps, request: CarryOutOrderRequest): Handling {
  const { orderId, requestedBy, reason, userId: key } = request;
  const senderOf = () => {
    const user = parseUserId(key);
    if (!user) throw refuse.invalidParam('Not a user id');
    if (user.domain === deps.serverName) return key;
    // An automation token or a client of services has no user id.
    if (parseUserId(requestedBy)) return requestedBy;
    throw refuse.forbidden('The caller has no account that could redact events: use the token of an account');
  };
  return {
    check: async () => {
      senderOf();
    },
    async carryOut() {
      const id = taskIdOf(orderId);
      if (await deps.tasks.find(id)) return { taskId: id };
      const params: UserRedactionParams = {
        rooms: [],
        reason: reason ?? null,
        limit: DEFAULT_REDACTION_LIMIT,
        sender: senderOf(),
        beforeMs: null,
        afterMs: null,
      };
      // A task that is running already may have passed events that were sent since; this one runs after it.
      await deps.tasks.create({ id, kind: REDACT_USER, key, params, requestedBy }).catch((error: unknown) => {
        if (!(error instanceof Conflict)) throw error;
      });
      return { taskId: id };
    },
  };
}

function block(deps: Deps, { requestedBy, roomId }: CarryOutOrderRequest): Handling {
  const check = async () => requireRoomId(roomId);
  return {
    check,
    async carryOut() {
      await check();
      await blockRoom(deps, roomId, requestedBy);
      return {};
    },
  };
}

function deletion(deps: Deps, { orderId, requestedBy, roomId, ...request }: CarryOutOrderRequest): Handling {
  const given = request.deletion;
  const params: DeletionParams = {
    version: 2,
    block: given?.block ?? false,
    purge: given?.purge ?? true,
    force: given?.forcePurge ?? false,
    newRoomUser: given?.newRoomUserId || null,
    roomName: given?.roomName || DEFAULT_ROOM_NAME,
    message: given?.message || DEFAULT_MESSAGE,
    order: orderId,
  };
  const check = async () => {
    requireRoomId(roomId);
    await requireNewRoom(deps, params);
    if (params.block) return;
    const room = await deps.rooms.findOne({ _id: roomId }, { projection: { _id: 1 } });
    if (!room) throw refuse.unknown('The room is not known here');
  };
  return {
    check,
    async carryOut() {
      const known = await deps.tasks.list(roomId, DELETE_ROOM);
      const own = known.find((task) => paramsOf(task).order === orderId);
      if (own) return { taskId: own._id };
      if (known.some(isOpen)) throw beingDeleted();
      await check();
      const taskId = await createDeletion(deps, roomId, params, requestedBy, (open) => {
        if (paramsOf(open).order === orderId) return true;
        throw beingDeleted();
      });
      return { taskId };
    },
  };
}

function beingDeleted(): Error {
  return refuse.unknown('The room is being deleted');
}

/** The rights of who gave an order: those of a server administrator unless scopes are stated. */
function rightsOf(scopes: CarryOutOrderRequest['requesterScopes']): Rights {
  return scopes ? { admin: false, scopes: scopes.scopes } : { admin: true };
}

/** The id of the task that an order creates. */
function taskIdOf(orderId: string): string {
  return idOf(
    createHash('sha256')
      .update(JSON.stringify(['report_order', orderId]))
      .digest(),
  );
}
