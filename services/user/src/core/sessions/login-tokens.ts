import { refuse } from '@steward/errors';
import { Conflict } from '@steward/store';
import { accountAggregate } from '../accounts/account-aggregate.ts';
import type { Deps } from '../deps.ts';
import { browserSecret } from '../identity-providers/browser.ts';
import type { Account } from '../model/account.ts';
import {
  accessTokenOf,
  LOGIN_SEED_BYTES,
  LOGIN_TOKEN_LIFE_MS,
  type LoginToken,
} from '../model/login-token.ts';
import { type ProviderSession, sessionOf } from '../model/provider-session.ts';
import type { RightsLimit } from '../model/rights-limit.ts';
import { newToken, tokenDigest } from '../model/token.ts';
import { requireSignIn } from './require-sign-in.ts';
import { type LoginDevice, type StartedSession, startSession } from './start-session.ts';

/** A user who has just proved who they are to an identity provider. */
interface ProvedUser extends Pick<LoginToken, 'provided'> {
  readonly account: Account;
  /** What limits the rights of the session. */
  readonly limit: RightsLimit;
  readonly session: Partial<ProviderSession>;
}

/**
 * Makes a login token.
 *
 * @param console set for a session of the console
 */
export async function makeLoginToken(
  deps: Deps,
  { account, limit, provided, session }: ProvedUser,
  console?: LoginToken['console'],
): Promise<string> {
  const token = newToken(deps.random);
  await deps.loginTokens.insertOne({
    _id: tokenDigest(token),
    user_id: account._id,
    epoch: account.sessions.epoch,
    seed: deps.random.bytes(LOGIN_SEED_BYTES).toString('base64url'),
    ...(limit ? { rights_limit: limit } : {}),
    provided,
    ...session,
    ...(console ? { console } : {}),
    expires_ts: deps.clock.now() + LOGIN_TOKEN_LIFE_MS,
  });
  return token;
}

/** A login token that may be used, and its account. */
export interface ValidLoginToken {
  readonly token: LoginToken;
  readonly account: Account;
}

/**
 * Reads a login token that has neither expired nor been used, of an account that may log in.
 *
 * @param browser of a token for the console: the secret in the cookie of the browser; undefined for a token for an app
 * @throws refuse.forbidden, refuse.userLocked, awaitingApproval, monthlyUsersExceeded
 */
export async function readLoginToken(
  deps: Deps,
  text: string,
  browser: string | undefined,
): Promise<ValidLoginToken> {
  const token = await deps.loginTokens.findOne({ _id: tokenDigest(text) });
  if (!token || token.expires_ts <= deps.clock.now()) throw invalid();
  if (token.console?.browser !== (browser === undefined ? undefined : tokenDigest(browser))) throw invalid();
  const account = await accountAggregate.load(deps, token.user_id);
  if (!account || account.deactivated || token.epoch < account.sessions.epoch) throw invalid();
  await requireSignIn(deps, account);
  return { token, account };
}

/**
 * Reads a login token for the console.
 *
 * @param cookies the header Cookie of the browser
 * @throws as `readLoginToken`
 */
export async function readConsoleToken(deps: Deps, text: string, cookies: string): Promise<ValidLoginToken> {
  const browser = browserSecret(cookies, deps.settings.publicBaseUrl) ?? '';
  return readLoginToken(deps, text, browser).catch((error: unknown) => {
    deps.counts.add('failed_sign_ins');
    throw error;
  });
}

/**
 * Begins the session of a login token, which is spent in the commit that makes the session.
 *
 * @throws refuse.forbidden when another request used the token, and as `startSession`
 */
export async function startSessionWith(
  deps: Deps,
  text: string,
  { token, account }: ValidLoginToken,
  device: Omit<LoginDevice, 'credential'>,
): Promise<StartedSession> {
  const accessToken = accessTokenOf(text, token.seed);
  const credential = {
    accessToken,
    limit: token.rights_limit ?? null,
    providerSession: sessionOf(token),
  };
  const session = await startSession(deps, account, { ...device, credential }).catch((error: unknown) => {
    throw error instanceof Conflict ? invalid() : error;
  });
  if (await takeLoginToken(deps, token)) return session;
  // A request that read the token before it was spent, and whose session has ended since.
  await deps.tokens.deleteOne({ _id: tokenDigest(accessToken) });
  throw invalid();
}

/**
 * Spends a login token for which no session begins with an access token.
 *
 * @throws refuse.forbidden when another request used it
 */
export async function spendLoginToken(deps: Deps, token: LoginToken): Promise<void> {
  if (!(await takeLoginToken(deps, token))) throw invalid();
}

async function takeLoginToken({ loginTokens }: Deps, { _id }: LoginToken): Promise<boolean> {
  const { deletedCount } = await loginTokens.deleteOne({ _id });
  return deletedCount === 1;
}

function invalid(): Error {
  return refuse.forbidden('The login token is invalid, was used before or has expired: sign in again');
}
