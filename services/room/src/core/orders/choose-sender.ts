import { refuse } from '@steward/errors';
import type { Deps } from '../deps.ts';
import { isNoticesAccount, type NoticeDeps } from '../notices/notice-rooms.ts';
import {
  authorize,
  authStateKeys,
  type Denial,
  type EventDraft,
  type RoomVersion,
  serverNameOf,
} from '../protocol/mod.ts';
import type { RoomView } from '../view/room-view.ts';
import { localMembersByPower } from './local-members-by-power.ts';

/** The most members who are considered as the sender of an event. */
const MAX_CANDIDATES = 100;

/** Who may be the sender of an event, apart from what the rules of the room say. */
export interface SenderOptions {
  /** A user who is not considered. */
  readonly except?: string;
  /** Whether the sender of server notices is considered, in whose name nobody else speaks. */
  readonly asServer?: boolean;
  /** A user who is considered after the others, if they are a local member. */
  readonly last?: string;
  /** A further rule that the sender must meet. */
  readonly deny?: (sender: string) => Promise<Denial | undefined>;
}

/**
 * Chooses the member of this server in whose name an order of an administrator is carried out: the most powerful one whose
 * event the room admits. Of members without a level of their own, one is considered for all.
 *
 * @param draftOf the event as it would be with a sender
 * @throws refuse.unknown when the room admits the event of none of them
 */
export async function chooseSender(
  deps: Pick<Deps, 'serverName' | 'members'> & NoticeDeps,
  view: RoomView,
  version: RoomVersion,
  draftOf: (sender: string) => EventDraft,
  { except, asServer = false, last, deny }: SenderOptions = {},
): Promise<string> {
  let first: Denial | undefined;
  for await (const sender of candidates(deps, view, version, last)) {
    if (sender === except || (!asServer && (await isNoticesAccount(deps, sender)))) continue;
    const draft = draftOf(sender);
    const denial =
      authorize(draft, version, await view.lookup(authStateKeys(draft))) ?? (await deny?.(sender));
    if (!denial) return sender;
    first ??= denial;
  }
  throw refuse.unknown(
    first
      ? `No user of this server may do it in the room: ${first.message}`
      : 'No user of this server who has power is in the room',
  );
}

/** Members of this server, each once, the most powerful first. */
async function* candidates(
  deps: Pick<Deps, 'serverName' | 'members'>,
  view: RoomView,
  version: RoomVersion,
  last: string | undefined,
): AsyncGenerator<string> {
  const passed = new Set<string>();
  for await (const { userId } of localMembersByPower(deps, view, version)) {
    if (passed.size === MAX_CANDIDATES) break;
    if (passed.has(userId)) continue;
    passed.add(userId);
    yield userId;
  }
  const unnamed = await anyOtherMember(deps, view, passed);
  for (const userId of [unnamed, last]) {
    if (userId === undefined || passed.has(userId) || serverNameOf(userId) !== deps.serverName) continue;
    passed.add(userId);
    if ((await view.membership(userId)) === 'join') yield userId;
  }
}

/** A local member who is none of those that have been considered. */
async function anyOtherMember(
  { members }: Pick<Deps, 'members'>,
  view: RoomView,
  passed: ReadonlySet<string>,
): Promise<string | undefined> {
  const joined = { room_id: view.room._id, membership: 'join', local: true } as const;
  const found = await members.find(joined, { limit: MAX_CANDIDATES }).toArray();
  for (const { user_id: userId } of found) {
    // The documents may lag behind the changes of this batch.
    if (!passed.has(userId) && (await view.membership(userId)) === 'join') return userId;
  }
  return undefined;
}
