import type { MessageInitShape } from '@bufbuild/protobuf';
import { targetText, timePrefix, unkeyedFingerprint } from '@steward/audit';
import { optionalInt64 } from '@steward/kernel';
import type {
  AuditEntrySchema,
  ListAuditLogRequest,
  ListAuditLogResponseSchema,
} from '@steward/proto/steward/moderation/v1/audit_pb.ts';
import type { Filter } from '@steward/store';
import type { Deps } from '../../core/deps.ts';
import type { AuditEntry } from '../../core/model/audit-entry.ts';

/** The default number of entries on a page. */
const DEFAULT_LIMIT = 100;

/** The maximum number of entries on a page; an entry has at most about 5 KiB. */
const MAX_LIMIT = 1_000;

/** The latest time that ids can represent; no entry is later. */
const LAST_TS = 999_999_999_999_999n;

/** Returns a page of the audit log, the newest entries first. */
export async function listAuditLog(
  deps: Deps,
  request: ListAuditLogRequest,
): Promise<MessageInitShape<typeof ListAuditLogResponseSchema>> {
  const limit = pageSize(request.limit);
  if (limit === 0) return {};
  // One more than the page, which shows whether another page follows, and where it starts.
  const found = await deps.auditLog
    .find(filterOf(deps, request), { sort: { _id: -1 }, limit: limit + 1 })
    .toArray();
  const next = found[limit];
  return {
    entries: found.slice(0, limit).map(toAnswer),
    ...(next ? { nextToken: next._id } : {}),
  };
}

function pageSize(limit: bigint | undefined): number {
  if (limit === undefined) return DEFAULT_LIMIT;
  return limit > MAX_LIMIT ? MAX_LIMIT : Number(limit);
}

function filterOf({ fingerprint }: Deps, request: ListAuditLogRequest): Filter<AuditEntry> {
  const { actor, target, action, outcome, requestId, registrationToken, from, fromTs, untilTs } = request;
  const id = {
    ...(from === undefined ? {} : { $lte: from }),
    ...(fromTs === undefined ? {} : { $gte: firstIdOf(fromTs) }),
    ...(untilTs === undefined ? {} : { $lt: firstIdOf(untilTs) }),
  };
  return {
    ...(actor === undefined ? {} : { actor }),
    ...(target === undefined ? {} : { targets: targetText(target) }),
    ...(action === undefined ? {} : { action }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(requestId === undefined ? {} : { request_id: requestId }),
    ...(registrationToken === undefined
      ? {}
      : {
          $and: [
            { targets: { $in: [fingerprint(registrationToken), unkeyedFingerprint(registrationToken)] } },
          ],
        }),
    ...(Object.keys(id).length === 0 ? {} : { _id: id }),
  };
}

/** Returns a lower bound of the ids from this time on, which is above the ids of all earlier times. */
function firstIdOf(ts: bigint): string {
  return timePrefix(ts > LAST_TS ? LAST_TS : ts);
}

function toAnswer(entry: AuditEntry): MessageInitShape<typeof AuditEntrySchema> {
  return {
    id: entry._id,
    ts: BigInt(entry.ts),
    action: entry.action,
    ...(entry.actor === '' ? {} : { actor: entry.actor }),
    ...(entry.acting_as === null ? {} : { actingAs: entry.acting_as }),
    tokenKind: entry.token_kind,
    ...(entry.device_id === null ? {} : { deviceId: entry.device_id }),
    address: entry.address,
    requestId: entry.request_id,
    targets: [...entry.targets],
    request: entry.request,
    requestTruncated: entry.request_truncated,
    outcome: entry.outcome,
    ...(entry.status === null ? {} : { status: entry.status }),
    ...(entry.errcode === null ? {} : { errcode: entry.errcode }),
    ...(entry.task_id === null ? {} : { taskId: entry.task_id }),
    endedTs: optionalInt64(entry.ended_ts),
    attempts: entry.attempts ?? 1,
    ...(entry.reason === undefined ? {} : { reason: entry.reason }),
    number: optionalInt64(entry.chain?.number ?? null),
    ...(entry.chain?.hash === undefined ? {} : { hash: entry.chain.hash }),
    ...(entry.amends === undefined ? {} : { amends: entry.amends }),
  };
}
