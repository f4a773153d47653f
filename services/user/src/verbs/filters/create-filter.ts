import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { CreateFilterRequest } from '@steward/proto/steward/user/v1/filters_pb.ts';
import { raiseDeferred, requester } from '@steward/rpc';
import { ownAccount } from '../../core/accounts/own-account.ts';
import type { Deps } from '../../core/deps.ts';
import { isEmptied } from '../../core/model/account.ts';
import { filterIdOf, filterKey } from '../../core/model/filter.ts';
import { addWithinQuota } from '../../core/quotas/add-within-quota.ts';
import { activeSession, sessionEnded } from '../../core/sessions/active-session.ts';
import { checkFilter } from './check-filter.ts';

/** The longest filter, in bytes of its JSON. */
const MAX_FILTER_BYTES = 64 * 1024;

/** Stores a filter of the caller (client-plane.md 7.7); storing an existing one again is always permitted. */
export async function createFilter(deps: Deps, request: CreateFilterRequest, context: HandlerContext) {
  const userId = ownAccount(context, request.userId);
  raiseDeferred(context);
  const { filter } = request;
  if (Buffer.byteLength(filter) > MAX_FILTER_BYTES) throw refuse.tooLarge('The filter is too large');
  checkFilter(JSON.parse(filter));
  const filterId = filterIdOf(filter);
  const _id = filterKey(userId, filterId);
  const caller = (await activeSession(deps, requester(context))).account;
  const { epoch } = caller.sessions;
  await addWithinQuota(deps, caller, {
    kind: 'filters',
    exists: async () => (await deps.filters.findOne({ _id }, { projection: { _id: 1 } })) !== null,
    count: () => deps.filters.countDocuments({ user_id: userId }),
    add: async () => {
      const { upsertedCount } = await deps.filters.updateOne(
        { _id },
        { $set: { filter }, $max: { epoch }, $setOnInsert: { user_id: userId } },
        { upsert: true },
      );
      return upsertedCount > 0;
    },
    takeBack: () => deps.filters.deleteOne({ _id, epoch }),
  });
  const account = await deps.accounts.findOne({ _id: userId });
  if (!account || isEmptied(account, { epoch })) {
    await deps.filters.deleteOne({ _id, epoch });
    throw sessionEnded();
  }
  return { filterId };
}
