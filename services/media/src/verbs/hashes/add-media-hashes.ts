import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { AddMediaHashesRequest } from '@steward/proto/steward/media/v1/hashes_pb.ts';
import { callId, requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { toSha256 } from '../../core/hashes/sha256.ts';
import { listHashes } from './list-hashes.ts';
import { readHashOptions } from './read-hash-options.ts';

/** The most hashes of a request. */
const MAX_HASHES = 1_000;

/**
 * Adds hashes to the list of known-bad content.
 *
 * @throws refuse.invalidParam if there are none or more than 1,000, or one is not a hash
 */
export async function addMediaHashes(deps: Deps, request: AddMediaHashesRequest, context: HandlerContext) {
  const { sha256: given, applyToExisting } = request;
  if (given.length === 0 || given.length > MAX_HASHES)
    throw refuse.invalidParam(`sha256 must have 1 to ${MAX_HASHES} hashes`);
  const values = new Set(
    given.map((text, index) => {
      const hash = toSha256(text);
      if (hash === undefined)
        throw refuse.invalidParam(`sha256[${index}] is not a hash of 64 hexadecimal digits`);
      return hash;
    }),
  );
  const said = readHashOptions(request);
  const hashes = [...values].map((sha256) => ({ sha256, ...said }));
  return listHashes(deps, hashes, requester(context).owner, applyToExisting ?? false, callId(context));
}
