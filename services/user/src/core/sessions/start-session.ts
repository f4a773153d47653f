import { refuse } from '@steward/errors';
import { accountTopic } from '@steward/events';
import { randomCapitals, randomId } from '@steward/kernel';
import type { Client } from '@steward/rpc';
import { Conflict, NOT_FLUSHED } from '@steward/store';
import type { Deps } from '../deps.ts';
import { countDevices, hasDevice } from '../devices/current-devices.ts';
import { removeDehydratedDevice } from '../devices/dehydrated-device.ts';
import type { Account } from '../model/account.ts';
import { DEVICE_ID_LENGTH, deviceKey } from '../model/device.ts';
import { type ProviderSession, sessionOf } from '../model/provider-session.ts';
import type { RefreshToken } from '../model/refresh-token.ts';
import type { RightsLimit } from '../model/rights-limit.ts';
import type { SignIn } from '../model/sign-in.ts';
import { isAlive, newToken, type Token, tokenDigest } from '../model/token.ts';
import { addWithinQuota } from '../quotas/add-within-quota.ts';

/** A session that has just started. */
export interface StartedSession {
  readonly accessToken: string;
  readonly deviceId: string;
  /** Set when the access token expires. */
  readonly refreshToken?: string;
  /** How long the access token is valid, in milliseconds; set when it expires. */
  readonly expiresInMs?: bigint;
}

/** The device to log in. */
export interface LoginDevice {
  /** A new one when unset or empty. */
  readonly deviceId?: string | undefined;
  /** The name of a new device. */
  readonly displayName?: string | undefined;
  /** Whether the client can renew access tokens; its token then expires, if the server supports that. */
  readonly refreshes?: boolean;
  /** A credential other than the password with which it begins. */
  readonly credential?: {
    /** The access token of the session, which no session has had. */
    readonly accessToken: string;
    /** What limits the rights of the session. */
    readonly limit: RightsLimit;
    /** The session at an identity provider with which it begins. */
    readonly providerSession: Partial<ProviderSession>;
    /** Of a token of the issuer of delegated authentication: until when its document is kept. */
    readonly validUntilMs?: number;
  };
  /** The client that logs in, for the record of sign-ins; undefined for a call without a gateway. */
  readonly client: Client | undefined;
}

/**
 * Logs a device in. An existing device keeps its name and loses its earlier tokens; of concurrent logins the last
 * one to update the device gets the session. A dehydrated device of the same id is removed first. The token is written
 * last, so a login that crashes leaves at most a device without a token.
 *
 * @throws Conflict when a session had the access token of the credential
 * @throws quotaExceeded when the device would be one too many
 * @throws refuse.forbidden when the session is ended while it starts: with all others of the account, with its
 * device, or by another login on the device
 */
export async function startSession(
  deps: Deps,
  account: Account,
  device: LoginDevice,
): Promise<StartedSession> {
  const deviceId = device.deviceId || randomCapitals(deps.random, DEVICE_ID_LENGTH);
  const { epoch } = account.sessions;
  const _id = deviceKey(account._id, deviceId);
  let login = 1;
  await addWithinQuota(deps, account, {
    kind: 'devices',
    exists: () => hasDevice(deps, account, deviceId),
    count: () => countDevices(deps, account),
    async add() {
      if (device.deviceId)
        await removeDehydratedDevice(deps, account._id, (held) => held.device_id === deviceId);
      login = await logDeviceIn(deps, account, { ...device, deviceId });
      return login === 1;
    },
    takeBack: () => deps.devices.deleteOne({ _id, logins: 1, epoch }),
  });
  const earlier = {
    user_id: account._id,
    device_id: deviceId,
    $nor: [{ login: { $gte: login } }, { epoch: { $gt: epoch } }],
  };
  await deps.tokens.deleteMany(earlier);
  await deps.refreshTokens.deleteMany(earlier);
  await deps.pushers.deleteMany(earlier);
  deps.bus.notify(accountTopic(account._id));
  const accessToken = device.credential?.accessToken ?? newToken(deps.random);
  const access = tokenDigest(accessToken);
  const now = deps.clock.now();
  const limit = device.credential ? device.credential.limit : account.password_limit;
  const made = {
    ...{ user_id: account._id, device_id: deviceId, login, epoch, created_ts: now },
    ...(limit ? { rights_limit: limit } : {}),
  };
  const renewal =
    device.refreshes && deps.settings.refreshTokens ? await addRefreshToken(deps, made, access) : undefined;
  const token: Token = {
    ...made,
    _id: access,
    owner: account._id,
    valid_until_ms: renewal
      ? now + deps.settings.accessTokenLifetimeMs
      : (device.credential?.validUntilMs ?? null),
    ...(device.credential?.validUntilMs === undefined ? {} : { delegated: true }),
  };
  const signIn = signInOf(deps, token, deviceId, device.client);
  // Before the token, so that every session has one. The token is flushed next.
  await deps.storedSignIns.insertOne(signIn, NOT_FLUSHED);
  const withdraw = async () => {
    await deps.storedSignIns.deleteOne({ _id: signIn._id, user_id: signIn.user_id });
    if (renewal) await deps.refreshTokens.deleteOne({ _id: tokenDigest(renewal.refreshToken) });
    await deps.devices.deleteOne({ _id, logins: login, epoch });
  };
  await deps.tokens.insertOne(token).catch(async (error: unknown) => {
    if (error instanceof Conflict) await withdraw();
    throw error;
  });
  const owner = await deps.accounts.findOne({ _id: account._id });
  const current = await deps.devices.findOne({ _id }, { projection: { logins: 1 } });
  if (!owner || !isAlive(token, owner) || current?.logins !== login) {
    await deps.tokens.deleteOne({ _id: access });
    await withdraw();
    throw refuse.forbidden('The session ended during the request: log in again');
  }
  return { accessToken, deviceId, ...renewal };
}

/** The record of the beginning of a session. */
function signInOf(
  { random }: Pick<Deps, 'random'>,
  { user_id, created_ts: ts }: Token,
  device_id: string,
  client: Client | undefined,
): SignIn {
  const { address = '', userAgent: user_agent = '' } = client ?? {};
  return { _id: randomId(random), user_id, device_id, ts, address, user_agent };
}

/** Counts a login of a device, which is created if it does not exist; returns how many it has had. */
async function logDeviceIn(
  deps: Deps,
  { _id: userId, sessions: { epoch } }: Account,
  {
    deviceId,
    displayName,
    credential,
  }: Pick<LoginDevice, 'displayName' | 'credential'> & { readonly deviceId: string },
): Promise<number> {
  const { provider_sub, provider_sid } = credential?.providerSession ?? {};
  const loggedIn = await deps.devices.findOneAndUpdate(
    { _id: deviceKey(userId, deviceId) },
    {
      $max: { epoch },
      $inc: { logins: 1 },
      // A dehydrated device that was published since has no session, and this one has.
      $unset: {
        dehydrated: true,
        ...(provider_sub === undefined ? { provider_sub: true } : {}),
        ...(provider_sid === undefined ? { provider_sid: true } : {}),
      },
      ...(credential ? { $set: sessionOf(credential.providerSession) } : {}),
      $setOnInsert: {
        user_id: userId,
        device_id: deviceId,
        display_name: displayName ?? null,
        last_seen_ip: null,
        last_seen_user_agent: null,
        last_seen_ts: null,
      },
    },
    { upsert: true, returnDocument: 'after' },
  );
  return loggedIn?.logins ?? 1;
}

/** Creates the token with which the access token is renewed. */
async function addRefreshToken(
  deps: Deps,
  made: Pick<RefreshToken, 'user_id' | 'device_id' | 'login' | 'epoch' | 'created_ts' | 'rights_limit'>,
  access: string,
) {
  const refreshToken = newToken(deps.random);
  await deps.refreshTokens.insertOne({ ...made, _id: tokenDigest(refreshToken), access });
  return { refreshToken, expiresInMs: BigInt(deps.settings.accessTokenLifetimeMs) };
}
