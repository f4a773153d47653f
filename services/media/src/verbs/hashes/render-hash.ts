import type { MessageInitShape } from '@bufbuild/protobuf';
import type { MediaHashSchema } from '@steward/proto/steward/media/v1/hashes_pb.ts';
import type { ListedHash } from '../../core/model/listed-hash.ts';

/** A listed hash as callers see it. */
export function toMediaHash(hash: ListedHash): MessageInitShape<typeof MediaHashSchema> {
  const {
    _id: sha256,
    action,
    open_report: openReport,
    source,
    note,
    added_ts,
    added_by,
    last_match_ts,
  } = hash;
  return {
    sha256,
    action,
    openReport,
    ...(source === null ? {} : { source }),
    ...(note === null ? {} : { note }),
    addedTs: BigInt(added_ts),
    addedBy: added_by,
    ...(last_match_ts === null ? {} : { lastMatchTs: BigInt(last_match_ts) }),
  };
}
