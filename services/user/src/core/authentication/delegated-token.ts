import { refuse, toRefusal } from '@steward/errors';
import type { Client } from '@steward/rpc';
import { Conflict } from '@steward/store';
import type { Deps } from '../deps.ts';
import { hasDevice } from '../devices/current-devices.ts';
import { ProviderFailure } from '../identity-providers/provider-failure.ts';
import type { Introspector } from '../introspection/introspector.ts';
import type { Verdict } from '../introspection/verdict.ts';
import type { Account } from '../model/account.ts';
import { causedBy } from '../model/cause.ts';
import { deviceKey } from '../model/device.ts';
import { type Token, tokenDigest } from '../model/token.ts';
import { accountOf } from '../provider-accounts/account-of.ts';
import { startSession } from '../sessions/start-session.ts';

/** How long the document of a token is kept that does not say when it expires, in milliseconds; it is then made anew. */
const MAX_KEPT_MS = 24 * 60 * 60_000;

/** A token that the issuer calls valid. */
export interface DelegatedToken {
  readonly token: Token;
  readonly verdict: Verdict;
}

/**
 * Asks the issuer about an access token, and returns its document, which the first request with the token makes, with the account and
 * the device that it names. Undefined for a token that is not valid.
 *
 * @throws refuse.unavailable when the issuer does not say it, so that its absence admits nothing; what a login of the account refuses
 */
export async function delegatedToken(
  deps: Deps,
  introspector: Introspector,
  accessToken: string,
  client: Client | undefined,
): Promise<DelegatedToken | undefined> {
  const verdict = await introspector.ask(accessToken).catch((error: unknown) => {
    if (!(error instanceof ProviderFailure)) throw error;
    deps.tokenRefusals.add({ reason: 'issuer_failed' });
    const refusal = refuse.unavailable(
      'The service that manages the accounts does not answer: try again later',
    );
    // For the log.
    refusal.cause = error;
    throw refusal;
  });
  const _id = tokenDigest(accessToken);
  if (!verdict) {
    await deps.tokens.deleteOne({ _id, delegated: true });
    return undefined;
  }
  const known = await deps.tokens.findOne({ _id });
  if (known) return known.delegated ? { token: known, verdict } : undefined;
  const account = await accountOfVerdict(deps, verdict, client);
  await begin(deps, account, accessToken, verdict, client);
  const token = await deps.tokens.findOne({ _id, delegated: true });
  return token ? { token, verdict } : undefined;
}

/** The account of a user of the issuer, which is created if it does not exist. */
async function accountOfVerdict(
  deps: Deps,
  { subject, localpart, displayName }: Verdict,
  client: Client | undefined,
): Promise<Account> {
  const settings = { id: deps.settings.delegatedProvider, create: 'on', link_by: 'localpart' } as const;
  const user = { subject, localpart, displayName, verifiedEmail: undefined };
  const origin = { address: client?.address ?? '', cause: causedBy(undefined, null), requestId: '' };
  try {
    const { account } = await accountOf(
      deps,
      { ...settings, update_profile: false },
      { ...user, roles: [], groups: [], secondFactor: false, session: { sub: undefined, sid: undefined } },
      origin,
    );
    return account;
  } catch (error) {
    const { status, errcode, message } = toRefusal(error);
    // As at each request of an account that was deactivated or never existed.
    if (status === 400 || (status === 403 && errcode === 'M_FORBIDDEN')) throw refuse.unknownToken(message);
    throw error;
  }
}

/**
 * Makes the document of a token. A new token of a device that exists, as a client gets it each time that it renews one, is no new login
 * of the device, which keeps its keys and pushers. The documents of its expired tokens are deleted.
 */
async function begin(
  deps: Deps,
  account: Account,
  accessToken: string,
  { deviceId, expiresTs }: Verdict,
  client: Client | undefined,
): Promise<void> {
  const now = deps.clock.now();
  const valid_until_ms = Math.min(expiresTs ?? Number.POSITIVE_INFINITY, now + MAX_KEPT_MS);
  const { _id: user_id, sessions } = account;
  const device_id = deviceId ?? null;
  await deps.tokens.deleteMany({ user_id, device_id, delegated: true, valid_until_ms: { $lt: now } });
  if (deviceId !== undefined && !(await hasDevice(deps, account, deviceId))) {
    const credential = { accessToken, limit: null, providerSession: {}, validUntilMs: valid_until_ms };
    await startSession(deps, account, { deviceId, credential, client }).catch(ignoreConflict);
    return;
  }
  const device =
    deviceId === undefined
      ? undefined
      : await deps.devices.findOne({ _id: deviceKey(user_id, deviceId) }, { projection: { logins: 1 } });
  const token: Token = {
    ...{ _id: tokenDigest(accessToken), user_id, owner: user_id, device_id, epoch: sessions.epoch },
    ...(device?.logins === undefined ? {} : { login: device.logins }),
    ...{ created_ts: now, valid_until_ms, delegated: true },
  };
  await deps.tokens.insertOne(token).catch(ignoreConflict);
}

/** Another request has made the document of the same token. */
function ignoreConflict(error: unknown): void {
  if (!(error instanceof Conflict)) throw error;
}
