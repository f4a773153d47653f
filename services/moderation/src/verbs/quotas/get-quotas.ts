import type { GetQuotasRequest } from '@steward/proto/steward/moderation/v1/quotas_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { readQuotas } from './read-quotas.ts';

/** Returns how much of each kind a user stores, and may store. */
export async function getQuotas(deps: Deps, { userId }: GetQuotasRequest) {
  return readQuotas(deps, userId);
}
