import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { own } from '@steward/kernel';
import type { GetProfileFieldRequest } from '@steward/proto/steward/user/v1/profiles_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { profileOf, requireFieldName } from '../../core/model/profile.ts';
import { accountWithProfile } from './account-with-profile.ts';
import { requireReader } from './require-reader.ts';

/** Returns a further field of a user's profile (client-plane.md 12). */
export async function getProfileField(
  deps: Deps,
  { userId, field }: GetProfileFieldRequest,
  context: HandlerContext,
) {
  await requireReader(deps, context);
  requireFieldName(field);
  const value = own(profileOf(await accountWithProfile(deps, userId)), field);
  if (value === undefined) throw refuse.notFound(`The user has no ${field}`);
  return { content: JSON.stringify({ [field]: value }) };
}
