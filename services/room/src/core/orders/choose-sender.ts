import { refuse } from '@steward/errors';
import type { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { hasScope, type Rights, requireScopes } from '@steward/rpc';
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
import type { Order } from './order.ts';

/** The place of a member who is considered after all others. */
const LAST_PLACE = 3;

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
  /** Whether the sender says what the caller wants, so that the caller needs authority over them. */
  readonly speaks?: boolean;
}

/** In whose name an order is carried out. */
export interface ChosenSender {
  readonly sender: string;
  /** Whether members see who ordered it, because the sender has administrative rights, and others could take it for their order. */
  readonly showsOrder: boolean;
}

/**
 * Chooses the member of this server in whose name an order of an administrator is carried out: the most powerful one whose
 * event the room admits. Of members without a level of their own, one is considered for all. For a caller who is not a server
 * administrator, members without administrative rights come first.
 *
 * @param draftOf the event as it would be with a sender
 * @throws refuse.unknown when the room admits the event of none of them; refuse.forbidden when only members over whom the caller has no
 * authority could say it
 */
export async function chooseSender(
  deps: Pick<Deps, 'serverName' | 'members' | 'authority'> & NoticeDeps,
  view: RoomView,
  version: RoomVersion,
  { actor, rights }: Pick<Order, 'actor' | 'rights'>,
  draftOf: (sender: string) => EventDraft,
  { except, asServer = false, last, deny, speaks = false }: SenderOptions = {},
): Promise<ChosenSender> {
  let first: Denial | undefined;
  for await (const { sender, scopes } of ranked(deps, candidates(deps, view, version, last), rights, last)) {
    if (sender === except || (!asServer && (await isNoticesAccount(deps, sender)))) continue;
    const draft = draftOf(sender);
    const denial =
      authorize(draft, version, await view.lookup(authStateKeys(draft))) ?? (await deny?.(sender));
    if (!denial) {
      if (speaks) requireScopes(rights, scopes, 'account');
      return { sender, showsOrder: scopes.length > 0 && sender !== actor };
    }
    first ??= denial;
  }
  throw refuse.unknown(
    first
      ? `No user of this server may do it in the room: ${first.message}`
      : 'No user of this server who has power is in the room',
  );
}

/** A member who could be the sender. */
interface Candidate {
  readonly sender: string;
  /** The scopes that the caller needs to speak in their name; none for a server administrator. */
  readonly scopes: readonly Scope[];
}

/**
 * Members in the order in which they are considered: those without administrative rights, those over whom the caller has authority,
 * the others; each in the given order, and the last one last.
 */
async function* ranked(
  { authority }: Pick<Deps, 'authority'>,
  members: AsyncIterable<string>,
  rights: Rights,
  last: string | undefined,
): AsyncGenerator<Candidate> {
  if (rights.admin) {
    for await (const sender of members) yield { sender, scopes: [] };
    return;
  }
  const found = await Array.fromAsync(members);
  const over = await authority.scopesOver(found);
  const placeOf = ({ sender, scopes }: Candidate) => {
    if (sender === last) return LAST_PLACE;
    if (scopes.length === 0) return 0;
    return scopes.every((scope) => hasScope(rights, scope)) ? 1 : 2;
  };
  yield* found
    .map((sender): Candidate => ({ sender, scopes: over.get(sender) ?? [] }))
    .sort((a, b) => placeOf(a) - placeOf(b));
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
