import type { Planned } from '@steward/plans';
import type { DeleteSourceMediaHashesRequest } from '@steward/proto/steward/media/v1/hashes_pb.ts';
import { removeInBatches } from '@steward/store';
import type { Deps } from '../../core/deps.ts';

/** Removes all hashes of a source from the list of known-bad content, in batches. */
export async function deleteSourceMediaHashes(
  { hashes }: Pick<Deps, 'hashes'>,
  { source }: DeleteSourceMediaHashesRequest,
) {
  return { deleted: BigInt(await removeInBatches(hashes, { source }, { sort: { _id: 1 } })) };
}

/** Plans `deleteSourceMediaHashes`. */
export async function planDeleteSourceMediaHashes(
  { hashes }: Pick<Deps, 'hashes'>,
  { source }: DeleteSourceMediaHashesRequest,
): Promise<Planned> {
  const count = await hashes.countDocuments({ source });
  return { changes: [{ kind: 'hashes', change: 'removed', count }] };
}
