import type { DeleteSourceMediaHashesRequest } from '@steward/proto/steward/media/v1/hashes_pb.ts';
import type { Deps } from '../../core/deps.ts';

/** The number of hashes that are removed at a time. */
const BATCH = 500;

/** Removes all hashes of a source from the list of known-bad content, in batches. */
export async function deleteSourceMediaHashes(
  { hashes }: Pick<Deps, 'hashes'>,
  { source }: DeleteSourceMediaHashesRequest,
) {
  let deleted = 0;
  for (;;) {
    const found = await hashes
      .find({ source }, { sort: { _id: 1 }, limit: BATCH, projection: { _id: 1 } })
      .toArray();
    const { deletedCount } = await hashes.deleteMany({ _id: { $in: found.map(({ _id }) => _id) }, source });
    deleted += deletedCount;
    if (found.length < BATCH) return { deleted: BigInt(deleted) };
  }
}
