import type { MessageInitShape } from '@bufbuild/protobuf';
import { refuse } from '@steward/errors';
import type { CreateAuditCheckpointResponseSchema } from '@steward/proto/steward/moderation/v1/audit_pb.ts';
import { appendEntries } from '../../core/chain/append-entries.ts';
import type { Deps } from '../../core/deps.ts';
import { toCheckpoint } from './to-checkpoint.ts';

/** Makes a checkpoint at the end of the chain. */
export async function createAuditCheckpoint(
  deps: Deps,
): Promise<MessageInitShape<typeof CreateAuditCheckpointResponseSchema>> {
  await appendEntries(deps, { checkpoint: true });
  const checkpoint = await deps.auditCheckpoints.findOne({}, { sort: { _id: -1 } });
  if (!checkpoint) throw refuse.notFound('The audit log has no numbered entries yet; try again');
  return { checkpoint: toCheckpoint(checkpoint) };
}
