import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListMediaHashesRequest,
  ListMediaHashesResponseSchema,
} from '@steward/proto/steward/media/v1/hashes_pb.ts';
import type { Filter } from '@steward/store';
import type { Deps } from '../../core/deps.ts';
import { HASH_ACTIONS, type HashAction, type ListedHash } from '../../core/model/listed-hash.ts';
import { toMediaHash } from './render-hash.ts';

const DEFAULT_LIMIT = 100n;
const MAX_LIMIT = 1_000n;

type HashDeps = Pick<Deps, 'hashes'>;

/** Returns a page of the list of known-bad content, in the order of the hashes. */
export async function listMediaHashes(
  deps: HashDeps,
  { from, limit: requested = DEFAULT_LIMIT, source, action }: ListMediaHashesRequest,
): Promise<MessageInitShape<typeof ListMediaHashesResponseSchema>> {
  const limit = Number(requested > MAX_LIMIT ? MAX_LIMIT : requested);
  const which: Filter<ListedHash> = {
    ...(source === undefined ? {} : { source }),
    ...(action === undefined ? {} : { action: action as HashAction }),
  };
  const total = BigInt(await count(deps, which, source, action));
  if (limit === 0) return { total };
  // One more than the page, which shows whether another page follows, and where it starts.
  const found = await deps.hashes
    .find(
      { ...which, ...(from === undefined ? {} : { _id: { $gte: from } }) },
      { sort: { _id: 1 }, limit: limit + 1 },
    )
    .toArray();
  const next = found[limit];
  return {
    hashes: found.slice(0, limit).map(toMediaHash),
    ...(next ? { nextToken: next._id } : {}),
    total,
  };
}

/** Counts without reading documents: from the tally, or an index. */
async function count(
  { hashes }: HashDeps,
  which: Filter<ListedHash>,
  source: string | undefined,
  action: string | undefined,
): Promise<number> {
  if (source !== undefined) return hashes.countDocuments(which);
  const tally = await hashes.tally();
  const actions = action === undefined ? HASH_ACTIONS : [action];
  return actions.reduce((sum, each) => sum + (tally.get(each) ?? 0), 0);
}
