import { refuse, toRefusal } from '@steward/errors';
import type { InteractiveAuth } from '@steward/proto/steward/user/v1/interactive_pb.ts';
import type { Deps } from '../deps.ts';
import type { Account } from '../model/account.ts';
import { namedUser } from '../sessions/login-name.ts';
import { renewPassword } from '../sessions/renew-password.ts';
import { tryLogin } from '../sessions/try-login.ts';
import type { StageFailure } from './authenticate-stage.ts';

const BAD_REQUEST_STATUS = 400;

/**
 * Checks that the caller knows the password of their account (client-plane.md 2.4).
 *
 * @param network the network of the client, see `networkOf`
 * @throws refuse.forbidden when another account is named, whatever its password
 */
export async function passPassword(
  deps: Deps,
  account: Account,
  auth: InteractiveAuth,
  network: string,
): Promise<StageFailure | undefined> {
  const named = await namedUser(deps, auth).catch(toFailure);
  if (typeof named === 'object') return named;
  if (named !== account._id) throw refuse.forbidden('You can authenticate with your own account only');
  const { password } = auth;
  if (password === undefined) return { errcode: 'M_MISSING_PARAM', message: "'password' is missing" };
  const { _id: userId, password_hash: hash } = account;
  const matches = await tryLogin(deps, { place: 'client', key: userId.toLowerCase(), userId, network }, () =>
    deps.passwords.verify(hash, password, userId),
  );
  if (!matches) return { errcode: 'M_FORBIDDEN', message: 'Invalid password' };
  await renewPassword(deps, account, password, userId);
  return undefined;
}

/** A malformed name is a failed stage, which the client may try again. */
function toFailure(error: unknown): StageFailure {
  const { status, errcode, message } = toRefusal(error);
  if (status !== BAD_REQUEST_STATUS || errcode === undefined) throw error;
  return { errcode, message };
}
