import { refuse } from '@steward/errors';
import type { GetMediaHashRequest } from '@steward/proto/steward/media/v1/hashes_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { findListed } from '../../core/hashes/match-upload.ts';
import { hashOfPath } from '../../core/hashes/sha256.ts';
import { toMediaHash } from './render-hash.ts';

/** Returns a listed hash. */
export async function getMediaHash(deps: Pick<Deps, 'hashes'>, { sha256 }: GetMediaHashRequest) {
  const listed = await findListed(deps, hashOfPath(sha256));
  if (listed === null) throw refuse.notFound('This hash is not listed');
  return { hash: toMediaHash(listed) };
}
