import { refuse } from '@steward/errors';
import type { Planned } from '@steward/plans';
import type { DeleteMediaHashRequest } from '@steward/proto/steward/media/v1/hashes_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { hashOfPath } from '../../core/hashes/sha256.ts';

/** Removes a hash from the list of known-bad content. */
export async function deleteMediaHash({ hashes }: Pick<Deps, 'hashes'>, { sha256 }: DeleteMediaHashRequest) {
  const { deletedCount } = await hashes.deleteOne({ _id: hashOfPath(sha256) });
  if (deletedCount === 0) throw refuse.notFound('This hash is not listed');
  return { deleted: BigInt(deletedCount) };
}

/** Plans `deleteMediaHash`. */
export async function planDeleteMediaHash(
  { hashes }: Pick<Deps, 'hashes'>,
  { sha256 }: DeleteMediaHashRequest,
): Promise<Planned> {
  const id = hashOfPath(sha256);
  const count = await hashes.countDocuments({ _id: id });
  if (count === 0) throw refuse.notFound('This hash is not listed');
  return { changes: [{ kind: 'hashes', change: 'removed', count }], sample: [{ kind: 'hash', id }] };
}
