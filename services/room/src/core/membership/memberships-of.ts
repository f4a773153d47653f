import type { Deps } from '../deps.ts';
import type { MemberDocument } from '../model/member.ts';
import type { Membership } from '../protocol/mod.ts';

/** Memberships of a page, unless another number is given. */
const PAGE = 500;

/** Where the pages begin, and how large they are. */
export interface MembershipPages {
  /** The memberships after this one; all unless given. */
  readonly after?: Pick<MemberDocument, 'stay' | 'room_id'> | undefined;
  readonly size?: number;
}

const ORDER = { stay: 1, room_id: 1 } as const;

/**
 * The pages of a user's memberships of one kind, the oldest membership epoch first. Each page is read with its own
 * queries, so that no cursor of the store stays open while the caller processes a page.
 */
export async function* membershipsOf(
  deps: Pick<Deps, 'members'>,
  userId: string,
  membership: Membership,
  { after, size = PAGE }: MembershipPages = {},
): AsyncGenerator<readonly MemberDocument[]> {
  const here = { user_id: userId, membership };
  for (let last = after; ; ) {
    const page = last
      ? await pageAfter(deps, here, last, size)
      : await deps.members.find(here, { sort: ORDER, limit: size }).toArray();
    if (page.length === 0) return;
    yield page;
    last = page.at(-1);
  }
}

async function pageAfter(
  { members }: Pick<Deps, 'members'>,
  here: { readonly user_id: string; readonly membership: Membership },
  { stay, room_id }: Pick<MemberDocument, 'stay' | 'room_id'>,
  size: number,
): Promise<readonly MemberDocument[]> {
  const same = { ...here, stay, room_id: { $gt: room_id } };
  const page = await members.find(same, { sort: ORDER, limit: size }).toArray();
  if (page.length === size) return page;
  const later = { ...here, stay: { $gt: stay } };
  return [...page, ...(await members.find(later, { sort: ORDER, limit: size - page.length }).toArray())];
}
