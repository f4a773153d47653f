import { refuse, toRefusal } from '@steward/errors';
import type { InteractiveAuth } from '@steward/proto/steward/user/v1/interactive_pb.ts';
import type { Deps } from '../deps.ts';
import type { Account } from '../model/account.ts';
import { namedUser } from '../sessions/login-name.ts';
import { tryPassword } from '../sessions/try-password.ts';
import type { StageFailure } from './authenticate-stage.ts';

const BAD_REQUEST_STATUS = 400;

/**
 * Checks that the caller knows the password of their account (client-plane.md 2.4).
 *
 * @throws refuse.forbidden when another account is named, whatever its password
 */
export async function passPassword(
  deps: Deps,
  account: Account,
  auth: InteractiveAuth,
): Promise<StageFailure | undefined> {
  const named = await namedUser(deps, auth).catch(toFailure);
  if (typeof named === 'object') return named;
  if (named !== account._id) throw refuse.forbidden('You can authenticate with your own account only');
  const { password } = auth;
  if (password === undefined) return { errcode: 'M_MISSING_PARAM', message: "'password' is missing" };
  const key = account._id.toLowerCase();
  const matches = await tryPassword(deps, key, () =>
    deps.passwords.verify(account.password_hash, password, account._id),
  );
  return matches ? undefined : { errcode: 'M_FORBIDDEN', message: 'Invalid password' };
}

/** A malformed name is a failed stage, which the client may try again. */
function toFailure(error: unknown): StageFailure {
  const { status, errcode, message } = toRefusal(error);
  if (status !== BAD_REQUEST_STATUS || errcode === undefined) throw error;
  return { errcode, message };
}
