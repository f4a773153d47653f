import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { isObject, own } from '@steward/kernel';
import type { PutProfileFieldRequest } from '@steward/proto/steward/user/v1/profiles_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { requireFieldName, withField } from '../../core/model/profile.ts';
import { changeProfile } from './change-profile.ts';

/** The time zone of a user: its name in the database of IANA. */
const TIME_ZONE = 'm.tz';

/** Sets a further field of a profile (client-plane.md 12). */
export function putProfileField(
  deps: Deps,
  { userId, field, profileFields }: PutProfileFieldRequest,
  context: HandlerContext,
) {
  requireFieldName(field);
  return changeProfile(deps, userId, context, (account) =>
    withField(account, field, valueIn(profileFields, field)),
  );
}

/** The value of a field in a body, as JSON text. */
function valueIn(body: string, field: string): string {
  const stated: unknown = JSON.parse(body);
  if (!isObject(stated)) throw refuse.badJson('The body is an object with the field');
  const value = own(stated, field);
  if (value === undefined) throw refuse.missingParam(`The body has no '${field}'`);
  if (field === TIME_ZONE && typeof value !== 'string') throw refuse.invalidParam(`'${field}' is a text`);
  return JSON.stringify(value);
}
