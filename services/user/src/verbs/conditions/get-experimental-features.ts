import type { GetExperimentalFeaturesRequest } from '@steward/proto/steward/user/v1/conditions_pb.ts';
import { localUser } from '../../core/accounts/local-user.ts';
import type { Deps } from '../../core/deps.ts';
import { FEATURES } from './experimental-features.ts';

/** Returns which experimental features an account has; an unknown account has none. */
export async function getExperimentalFeatures(deps: Deps, request: GetExperimentalFeaturesRequest) {
  localUser(deps, request.userId);
  const account = await deps.accounts.findOne(
    { _id: request.userId },
    { projection: { experimental_features: 1 } },
  );
  const held = account?.experimental_features ?? [];
  return { features: Object.fromEntries(FEATURES.map((feature) => [feature, held.includes(feature)])) };
}
