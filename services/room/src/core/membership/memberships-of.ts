import type { Deps } from '../deps.ts';
import type { MemberDocument } from '../model/member.ts';
import type { Membership } from '../protocol/mod.ts';

/** Memberships that are read together. */
const PAGE = 500;

const ORDER = { stay: 1, room_id: 1 } as const;

/**
 * The memberships of a user of one kind, a page at a time, the oldest membership epoch first. Each page is a query of
 * its own, so that a caller that takes long over one keeps no cursor open.
 */
export async function* membershipsOf(
  deps: Pick<Deps, 'members'>,
  userId: string,
  membership: Membership,
): AsyncGenerator<readonly MemberDocument[]> {
  const here = { user_id: userId, membership };
  let page = await deps.members.find(here, { sort: ORDER, limit: PAGE }).toArray();
  for (;;) {
    const last = page.at(-1);
    if (!last) return;
    yield page;
    const { stay, room_id } = last;
    const same = { ...here, stay, room_id: { $gt: room_id } };
    page = await deps.members.find(same, { sort: ORDER, limit: PAGE }).toArray();
    if (page.length === PAGE) continue;
    const later = { ...here, stay: { $gt: stay } };
    const rest = await deps.members.find(later, { sort: ORDER, limit: PAGE - page.length }).toArray();
    page = [...page, ...rest];
  }
}
