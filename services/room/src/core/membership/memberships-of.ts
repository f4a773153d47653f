import type { Deps } from '../deps.ts';
import type { MemberDocument } from '../model/member.ts';
import type { Membership } from '../protocol/mod.ts';

/** Memberships of a page. */
const PAGE = 500;

const ORDER = { stay: 1, room_id: 1 } as const;

/**
 * The pages of a user's memberships of one kind, the oldest membership epoch first. Each page is read with its own
 * queries, so that no cursor of the store stays open while the caller processes a page.
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
