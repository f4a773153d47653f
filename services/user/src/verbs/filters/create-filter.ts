import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { CreateFilterRequest } from '@steward/proto/steward/user/v1/filters_pb.ts';
import { raiseDeferred, requester } from '@steward/rpc';
import { ownAccount } from '../../core/accounts/own-account.ts';
import type { Deps } from '../../core/deps.ts';
import { isEmptied } from '../../core/model/account.ts';
import { filterIdOf, filterKey } from '../../core/model/filter.ts';
import { activeSession, sessionEnded } from '../../core/sessions/active-session.ts';
import { checkFilter } from './check-filter.ts';

/** The longest filter, in bytes of its JSON. */
const MAX_FILTER_BYTES = 64 * 1024;

/** The maximum of filters of an account; clients need one or two. */
const MAX_FILTERS = 1_000;

/** Stores a filter of the caller (client-plane.md 7.7). */
export async function createFilter(deps: Deps, request: CreateFilterRequest, context: HandlerContext) {
  const userId = ownAccount(context, request.userId);
  raiseDeferred(context);
  const { filter } = request;
  if (Buffer.byteLength(filter) > MAX_FILTER_BYTES) throw refuse.tooLarge('The filter is too large');
  checkFilter(JSON.parse(filter));
  const filterId = filterIdOf(filter);
  const _id = filterKey(userId, filterId);
  const { epoch } = (await activeSession(deps, requester(context))).account.sessions;
  const others = { user_id: userId, _id: { $ne: _id } };
  if ((await deps.filters.countDocuments(others)) >= MAX_FILTERS) {
    throw refuse.tooLarge(`An account stores at most ${MAX_FILTERS} filters`);
  }
  await deps.filters.updateOne(
    { _id },
    { $set: { filter }, $max: { epoch }, $setOnInsert: { user_id: userId } },
    { upsert: true },
  );
  const account = await deps.accounts.findOne({ _id: userId });
  if (!account || isEmptied(account, { epoch })) {
    await deps.filters.deleteOne({ _id, epoch });
    throw sessionEnded();
  }
  return { filterId };
}
