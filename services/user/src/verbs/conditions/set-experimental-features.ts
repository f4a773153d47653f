import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { SetExperimentalFeaturesRequest } from '@steward/proto/steward/user/v1/conditions_pb.ts';
import { raiseDeferred } from '@steward/rpc';
import { localUser } from '../../core/accounts/local-user.ts';
import type { Deps } from '../../core/deps.ts';
import { FEATURES } from './experimental-features.ts';
import { setCondition } from './set-condition.ts';

/** Enables the features that are true in the request, and disables those that are false. */
export async function setExperimentalFeatures(
  deps: Deps,
  request: SetExperimentalFeaturesRequest,
  context: HandlerContext,
) {
  localUser(deps, request.userId);
  raiseDeferred(context);
  const { features } = request;
  const named = Object.keys(features);
  if (named.length === 0) throw refuse.unknown("'features' must name at least one feature");
  if (named.some((name) => !FEATURES.includes(name))) throw refuse.unknown('Unknown feature');
  const changed = await setCondition(
    deps,
    context,
    request.userId,
    ({ experimental_features: held = [] }) => ({
      experimental_features: FEATURES.filter((feature) => features[feature] ?? held.includes(feature)),
    }),
  );
  if (!changed) throw refuse.notFound('User not found');
  return {};
}
