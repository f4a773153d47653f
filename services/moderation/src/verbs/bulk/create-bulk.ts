import type { HandlerContext } from '@connectrpc/connect';
import { recordCall, reportEvent } from '@steward/audit';
import { refuse, toConnectError } from '@steward/errors';
import { BulkCreatedSchema } from '@steward/proto/steward/feed/v1/tasks_pb.ts';
import type { CreateBulkRequest } from '@steward/proto/steward/moderation/v1/bulk_pb.ts';
import { callId, headers, methodRules, requester, requireUsedScope, scopesOf } from '@steward/rpc';
import { BULK, type BulkAction, type BulkParams, IDS_PER_PIECE } from '../../core/bulk/bulk.ts';
import { hasPlaceholder, hasSecret, requestFor } from '../../core/bulk/bulk-request.ts';
import { authorityOf } from '../../core/carried-authority.ts';
import type { Deps } from '../../core/deps.ts';

/** The most ids of a bulk. */
const MAX_IDS = 10_000;

/** The number of ids above which a request must state it. */
const UNCONFIRMED = 100;

/**
 * Begins to make a request for each of many users. What can be known to be refused for all is refused before: an action that does not exist,
 * or whose first request is malformed, and a caller without its scopes.
 */
export async function createBulk(
  deps: Pick<Deps, 'ownTasks'>,
  { action: given, users, confirmCount }: CreateBulkRequest,
  context: HandlerContext,
) {
  const ids = [...new Set(users)];
  const [first] = ids;
  if (!given || first === undefined) throw refuse.invalidParam("'users' must have at least one id");
  if (ids.length > MAX_IDS) throw refuse.invalidParam(`'users' has at most ${MAX_IDS} different ids`);
  if (ids.length > UNCONFIRMED && Number(confirmCount) !== ids.length)
    throw refuse.invalidParam(
      `'confirm_count' must be the number of different ids, which is ${ids.length}: above ${UNCONFIRMED} it is required`,
    );
  const { method: verb, path, body } = given;
  const action: BulkAction = { method: verb, path, ...(body === undefined ? {} : { body }) };
  if (!hasPlaceholder(action))
    throw refuse.invalidParam("The action must have '{user_id}' in its path or body");
  const { method, message, deferred } = requestFor(action, first);
  if (deferred) throw toConnectError(deferred);
  if (hasSecret(method, message)) throw refuse.unknown('A request with a secret cannot be made for many');
  for (const scope of scopesOf(methodRules(method), message)) {
    requireUsedScope(context, scope);
    await recordCall(context, { scope });
  }
  const caller = requester(context);
  const { requestHeader } = context;
  const params: BulkParams = {
    action,
    count: ids.length,
    authority: authorityOf(caller, context),
    requestId: requestHeader.get(headers.requestId) ?? '',
    reason: requestHeader.get(headers.reason) ?? '',
  };
  const pieces = Array.from({ length: Math.ceil(ids.length / IDS_PER_PIECE) }, (_, index) =>
    ids.slice(index * IDS_PER_PIECE, (index + 1) * IDS_PER_PIECE),
  );
  const taskId = await deps.ownTasks.createOnce({
    ...{ id: callId(context), kind: BULK, key: BULK, params, requestedBy: caller.owner },
    input: pieces,
  });
  reportEvent(context, BulkCreatedSchema, { method: verb, path, count: BigInt(ids.length) });
  return { taskId };
}
