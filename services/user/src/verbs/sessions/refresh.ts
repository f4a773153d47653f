import type { MessageInitShape } from '@bufbuild/protobuf';
import { refuse } from '@steward/errors';
import type { RefreshRequest, RefreshResponseSchema } from '@steward/proto/steward/user/v1/sessions_pb.ts';
import { accountAggregate } from '../../core/accounts/account-aggregate.ts';
import type { Deps } from '../../core/deps.ts';
import type { Account } from '../../core/model/account.ts';
import { deviceKey } from '../../core/model/device.ts';
import { type RefreshToken, SEED_BYTES, successorsOf } from '../../core/model/refresh-token.ts';
import { tokenDigest } from '../../core/model/token.ts';
import { endSuperseded } from '../../core/sessions/end-superseded.ts';

/**
 * Renews an access token (client-plane.md 7.2). The old tokens stay valid until one of the new ones is used, and
 * until then a repeated request gets the same response, so that neither a lost response nor a crash leaves a
 * client without a token. Afterwards the old refresh token is refused.
 *
 * @throws refuse.unknownToken or refuse.userLocked
 */
export async function refresh(
  deps: Deps,
  request: RefreshRequest,
): Promise<MessageInitShape<typeof RefreshResponseSchema>> {
  const _id = tokenDigest(request.refreshToken);
  const used = await deps.refreshTokens.findOne({ _id });
  if (!used) throw unknown();
  const owner = await accountAggregate.load(deps, used.user_id);
  if (!owner || !(await isAlive(deps, used, owner))) throw unknown();
  if (owner.locked) throw refuse.userLocked('This account is locked');
  if (used.supersedes) {
    await endSuperseded(deps, owner, used.supersedes, used.access);
    await deps.refreshTokens.updateOne({ _id }, { $unset: { supersedes: true } });
  }

  const seed = await seedOf(deps, used);
  const successors = successorsOf(request.refreshToken, seed);
  const access = tokenDigest(successors.accessToken);
  const { accessTokenLifetimeMs } = deps.settings;
  const now = deps.clock.now();
  const { user_id, device_id, login, rights_limit } = used;
  const { epoch } = owner.sessions;
  const made = {
    user_id,
    device_id,
    login,
    ...(rights_limit ? { rights_limit } : {}),
    created_ts: now,
    supersedes: { refresh: _id, access: used.access },
  };
  const next = { _id: tokenDigest(successors.refreshToken) };
  const { upsertedCount: newAccess } = await deps.tokens.updateOne(
    { _id: access },
    {
      $set: { valid_until_ms: now + accessTokenLifetimeMs },
      $max: { epoch },
      $setOnInsert: { ...made, owner: user_id },
    },
    { upsert: true },
  );
  const { upsertedCount: newRefresh } = await deps.refreshTokens.updateOne(
    next,
    { $max: { epoch }, $setOnInsert: { ...made, access } },
    { upsert: true },
  );

  // A concurrent end of the session, or use of the new tokens, may have missed the documents written above.
  const current = await deps.refreshTokens.findOne({ _id });
  const account = await deps.accounts.findOne({ _id: user_id });
  if (!current || !account || !(await isAlive(deps, current, account))) {
    if (newAccess > 0) await deps.tokens.deleteOne({ _id: access });
    if (newRefresh > 0) await deps.refreshTokens.deleteOne(next);
    throw unknown();
  }
  // The account ended all sessions but this one, and the new tokens with them: they are issued again.
  if (account.sessions.epoch > epoch) return refresh(deps, request);
  return { ...successors, expiresInMs: BigInt(accessTokenLifetimeMs) };
}

/** Whether the session of a refresh token is alive: neither its account nor its device has ended it. */
async function isAlive(deps: Deps, token: RefreshToken, owner: Account): Promise<boolean> {
  const { epoch, except } = owner.sessions;
  if (owner.deactivated || (token.epoch < epoch && token.access !== except)) return false;
  const device = await deps.devices.findOne(
    { _id: deviceKey(token.user_id, token.device_id) },
    { projection: { logins: 1 } },
  );
  return device?.logins === token.login;
}

/** The seed of a token's successors, which the first request that uses the token decides. */
async function seedOf(deps: Deps, { _id, seed }: RefreshToken): Promise<string> {
  if (seed !== undefined) return seed;
  const fresh = deps.random.bytes(SEED_BYTES).toString('base64url');
  await deps.refreshTokens.updateOne({ _id, seed: null }, { $set: { seed: fresh } });
  const decided = await deps.refreshTokens.findOne({ _id }, { projection: { seed: 1 } });
  if (decided?.seed === undefined) throw unknown();
  return decided.seed;
}

function unknown() {
  return refuse.unknownToken('Unknown refresh token');
}
