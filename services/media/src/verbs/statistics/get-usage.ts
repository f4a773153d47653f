import type { GetUsageRequest } from '@steward/proto/steward/media/v1/statistics_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { exactUsage } from '../../core/usage/count-media.ts';

/** Returns the number and size of the media of a user, for other services. */
export async function getUsage(deps: Deps, { userId }: GetUsageRequest) {
  const usage = await exactUsage(deps, userId);
  return { mediaCount: BigInt(usage?.count ?? 0), mediaLength: BigInt(usage?.length ?? 0) };
}
