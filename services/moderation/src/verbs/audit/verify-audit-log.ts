import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import type {
  VerifyAuditLogRequest,
  VerifyAuditLogResponseSchema,
} from '@steward/proto/steward/moderation/v1/audit_pb.ts';
import { requester } from '@steward/rpc';
import { countUnchained } from '../../core/chain/append-entries.ts';
import { verifyChain } from '../../core/chain/verify-chain.ts';
import type { Deps } from '../../core/deps.ts';

/** The default number of entries of a part. */
const DEFAULT_LIMIT = 10_000;

/** The maximum number of entries of a part. */
const MAX_LIMIT = 100_000n;

/** How long a request verifies, in milliseconds; then it answers with what it has. */
const VERIFY_FOR_MS = 10_000;

/**
 * Verifies a part of the chain; one at a time, because it computes all the time.
 *
 * @throws limitExceeded when too many of the caller's requests wait
 */
export function verifyAuditLog(
  deps: Deps,
  request: VerifyAuditLogRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof VerifyAuditLogResponseSchema>> {
  return deps.verifySlots.run(requester(context).owner, () => verifyPart(deps, request));
}

async function verifyPart(
  deps: Deps,
  { fromNumber, limit }: VerifyAuditLogRequest,
): Promise<MessageInitShape<typeof VerifyAuditLogResponseSchema>> {
  const { after, last, fault, reachedEnd, ...counts } = await verifyChain(deps, {
    after: fromNumber === undefined ? undefined : Number(fromNumber) - 1,
    limit: limit === undefined ? DEFAULT_LIMIT : Number(limit < MAX_LIMIT ? limit : MAX_LIMIT),
    deadlineMs: deps.clock.now() + VERIFY_FOR_MS,
  });
  const { entries } = counts;
  const complete = reachedEnd || fault !== undefined;
  return {
    valid: fault === undefined,
    complete,
    entries: BigInt(entries),
    ...(entries === 0
      ? {}
      : { firstNumber: BigInt(after + 1), lastNumber: BigInt(last.number), hash: last.hash }),
    checkpoints: BigInt(counts.checkpoints),
    signed: BigInt(counts.signed),
    unchained: BigInt(await countUnchained(deps)),
    ...(complete ? {} : { nextNumber: BigInt(last.number + 1) }),
    ...(fault ? { error: { ...fault, number: BigInt(Math.trunc(fault.number)) } } : {}),
  };
}
