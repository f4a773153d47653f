import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListAuditCheckpointsRequest,
  ListAuditCheckpointsResponseSchema,
} from '@steward/proto/steward/moderation/v1/audit_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { toCheckpoint } from './to-checkpoint.ts';

/** The default number of checkpoints on a page. */
const DEFAULT_LIMIT = 100n;

/** The maximum number on a page. */
const MAX_LIMIT = 1_000n;

/** Returns a page of the checkpoints, the newest first. */
export async function listAuditCheckpoints(
  { auditCheckpoints }: Pick<Deps, 'auditCheckpoints'>,
  { from, limit = DEFAULT_LIMIT }: ListAuditCheckpointsRequest,
): Promise<MessageInitShape<typeof ListAuditCheckpointsResponseSchema>> {
  const size = Number(limit < MAX_LIMIT ? limit : MAX_LIMIT);
  if (size === 0) return {};
  // One more than the page, which shows whether another page follows, and where it starts.
  const found = await auditCheckpoints
    .find(from === undefined ? {} : { _id: { $lte: from } }, { sort: { _id: -1 }, limit: size + 1 })
    .toArray();
  const next = found[size];
  return {
    checkpoints: found.slice(0, size).map(toCheckpoint),
    ...(next ? { nextToken: next._id } : {}),
  };
}
