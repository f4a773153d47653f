import type { HandlerContext } from '@connectrpc/connect';
import type { SetQuotasRequest } from '@steward/proto/steward/moderation/v1/quotas_pb.ts';
import { raiseDeferred, requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { readQuotas } from './read-quotas.ts';

/** Gives a user quotas of their own, or the server's again where the body has null. */
export async function setQuotas(deps: Deps, request: SetQuotasRequest, context: HandlerContext) {
  const { userId } = request;
  // The checks of the user come before those of the body.
  await deps.users.quotasOf(userId);
  raiseDeferred(context);
  const present = new Set(request.present?.paths);
  const given: Readonly<Record<string, bigint | undefined>> = {
    media_bytes: request.mediaBytes,
    media_count: request.mediaCount,
    key_backup_versions: request.keyBackupVersions,
    key_backup_bytes: request.keyBackupBytes,
    aliases: request.aliases,
    devices: request.devices,
    account_data_count: request.accountDataCount,
    account_data_bytes: request.accountDataBytes,
    filters: request.filters,
    pushers: request.pushers,
  } satisfies Record<(typeof deps.quotas.kinds)[number], bigint | undefined>;
  const set: Record<string, number> = {};
  const cleared: string[] = [];
  for (const kind of deps.quotas.kinds.filter((each) => present.has(each))) {
    const quota = given[kind];
    if (quota === undefined) cleared.push(kind);
    else set[kind] = Number(quota);
  }
  await deps.users.setQuotas(userId, { set, cleared, requester: requester(context) });
  return readQuotas(deps, userId);
}
