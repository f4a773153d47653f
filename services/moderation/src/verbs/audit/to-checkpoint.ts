import type { MessageInitShape } from '@bufbuild/protobuf';
import type { AuditCheckpointSchema } from '@steward/proto/steward/moderation/v1/audit_pb.ts';
import type { AuditCheckpoint } from '../../core/model/audit-checkpoint.ts';

/** A checkpoint as it is answered. */
export function toCheckpoint(stored: AuditCheckpoint): MessageInitShape<typeof AuditCheckpointSchema> {
  const { key_id: keyId, signature } = stored;
  return {
    number: BigInt(stored.number),
    hash: stored.hash,
    ts: BigInt(stored.ts),
    newestTs: BigInt(stored.newest_ts),
    previous: BigInt(stored.previous),
    ...(keyId === null ? {} : { keyId }),
    ...(signature === null ? {} : { signature }),
  };
}
