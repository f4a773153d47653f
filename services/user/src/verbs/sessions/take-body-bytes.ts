import type { TakeBodyBytesRequest } from '@steward/proto/steward/user/v1/sessions_pb.ts';
import type { Deps } from '../../core/deps.ts';

/**
 * Counts the bytes of a large body. The user service counts them for all gateways, because they ask it for the owner of the
 * token in any case, and have no broker themselves.
 *
 * @throws limitExceeded
 */
export function takeBodyBytes(
  { limits }: Pick<Deps, 'limits'>,
  { userId, ownerRateLimit, bytes }: TakeBodyBytesRequest,
): Record<string, never> {
  limits.largeBodies.take({ userId, ownerRateLimit }, bytes);
  return {};
}
