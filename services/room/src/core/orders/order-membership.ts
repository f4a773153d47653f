import { refuse } from '@steward/errors';
import { requireAuthority } from '@steward/rpc';
import { append } from '../aggregate/append.ts';
import { planAppend } from '../aggregate/plan-append.ts';
import { requireRoomId } from '../aliases/named-room.ts';
import type { Deps } from '../deps.ts';
import { accountOf, addMember, type MemberAccount } from '../membership/change-membership.ts';
import { refuseNoticeRoom } from '../notices/notice-rooms.ts';
import {
  denyMembershipAction,
  isMembership,
  isUserId,
  type MembershipAction,
  refuseDenied,
} from '../protocol/mod.ts';
import type { AppendOptions } from '../queues/append-job.ts';
import { refuseBlocked } from '../refusals/refuse-blocked.ts';
import type { RoomView } from '../view/room-view.ts';
import { chooseSender } from './choose-sender.ts';
import {
  appendOptionsOf,
  carriedOut,
  describe,
  type Order,
  type Ordered,
  sendOptionsOf,
  versionOf,
} from './order.ts';

/** An order to kick, ban, unban or invite a user. */
export interface MembershipOrder extends Order {
  /** The user; need not be a member, nor known to this server. */
  readonly target: string;
  /** `leave` kicks, unless the action is to lift a ban. */
  readonly membership: 'ban' | 'invite' | 'leave';
  readonly action?: MembershipAction;
  readonly reason?: string | undefined;
}

const ACTIONS = { ban: 'ban', invite: 'invite', leave: 'kick' } as const;

/**
 * Changes the membership of a user in the name of the most powerful local member who may, never in that of the user. A user who
 * is banned or invited already stays so, and nothing is sent.
 *
 * @throws refuse.unknown for a text that is not a room id; refuse.invalidParam for a target that is not a user id; refuse.notFound for an unknown room; refuse.forbidden for
 * a target over whom the caller has no authority, to kick a user who is not in the room, or to invite one who is, or one of another server, and for a room of server notices; refuse.badState to unban a user who is not
 * banned, or to invite one who is; refuse.refusedProof to invite to a blocked room; refuse.unknown when no local member may do it
 */
export async function orderMembership(
  deps: Deps,
  order: MembershipOrder,
  options: AppendOptions = {},
): Promise<Ordered> {
  const add = await checked(deps, order);
  return append(deps, order.roomId, add, appendOptionsOf(options));
}

/** Plans `orderMembership`. */
export async function planMembership(deps: Deps, order: MembershipOrder): Promise<Ordered> {
  return planAppend(deps, order.roomId, await checked(deps, order), appendOptionsOf({}));
}

async function checked(deps: Deps, order: MembershipOrder): Promise<(view: RoomView) => Promise<Ordered>> {
  const { roomId, target, membership } = order;
  requireRoomId(roomId);
  if (!isUserId(target)) throw refuse.invalidParam('Not a user id');
  const invites = membership === 'invite';
  if (!invites) await requireAuthority(deps.authority, order.rights, [target]);
  if (invites) await refuseBlocked(deps, roomId);
  const account = invites ? await accountOf(deps, target) : undefined;
  return (view) => addOrdered(deps, view, order, account);
}

async function addOrdered(
  deps: Deps,
  view: RoomView,
  order: MembershipOrder,
  account: MemberAccount | undefined,
): Promise<Ordered> {
  const { roomId, target, membership, reason, action = ACTIONS[membership] } = order;
  const send = sendOptionsOf(order, target);
  const before = await carriedOut(deps, view, send);
  if (before) return before;
  await refuseNoticeRoom(deps, view.room);
  const version = versionOf(view);
  const current = await view.membership(target);
  if (current === membership && membership !== 'leave') {
    const event = await view.state('m.room.member', target);
    if (event) return describe(deps, view, event.eventId, false);
  }
  refuseDenied(denyMembershipAction(action, isMembership(current) ? current : undefined));
  if (action === 'invite' && current === 'join') throw refuse.forbidden('The user is in the room already');
  if (action === 'invite' && current === 'ban') throw refuse.badState('The user is banned from the room');
  const draftOf = (sender: string) => ({
    type: 'm.room.member',
    state_key: target,
    sender,
    content: { membership },
  });
  const { sender, showsOrder } = await chooseSender(deps, view, version, order, draftOf, { except: target });
  const given = reason === undefined ? {} : { reason };
  const sent = await addMember(
    deps,
    view,
    { roomId, sender, target, membership, given },
    { account, send: { ...send, showsOrder } },
  );
  return { eventId: sent.eventId, sender, changed: !sent.existed };
}
