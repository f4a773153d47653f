import { accountTopic } from '@steward/events';
import type { Collection, Filter } from '@steward/store';
import type { Deps } from '../deps.ts';
import type { Account } from '../model/account.ts';

/** How many devices are removed at a time. */
const BATCH = 500;

/** What forgetting devices works on. */
export type ForgetDeps = Pick<
  Deps,
  'bus' | 'tokens' | 'devices' | 'refreshTokens' | 'oneTimeKeys' | 'pushers'
>;

/** What every document has that belongs to a device. */
interface OfDevice {
  readonly _id: string;
  readonly user_id: string;
  readonly device_id: string | null;
  /** The account's session epoch in which it came to be. */
  readonly epoch: number;
}

/** Where documents are that go with their device, beside the device itself and its tokens. */
function belongings({
  refreshTokens,
  oneTimeKeys,
  pushers,
}: ForgetDeps): readonly Pick<Collection<OfDevice>, 'deleteMany'>[] {
  return [refreshTokens, oneTimeKeys, pushers];
}

/**
 * Removes devices with everything that belongs to them (client-plane.md 7.6). The tokens go first, and
 * the device last: a removal cut short shuts the device out all the same, and as it is still listed, it
 * can be removed again. What belongs to it goes once more in the end, for a request that came between.
 *
 * @param spared the digest of a token that stays
 */
export async function forgetDevices(
  deps: ForgetDeps,
  userId: string,
  deviceIds: readonly string[],
  spared?: string,
): Promise<void> {
  for (let start = 0; start < deviceIds.length; start += BATCH) {
    const chosen = { user_id: userId, device_id: { $in: deviceIds.slice(start, start + BATCH) } };
    const forget = async () => {
      await deps.tokens.deleteMany(spared === undefined ? chosen : { ...chosen, _id: { $ne: spared } });
      for (const collection of belongings(deps)) await collection.deleteMany(chosen);
    };
    await forget();
    await deps.devices.deleteMany(chosen);
    await forget();
  }
  deps.bus.wake(accountTopic(userId));
}

/**
 * Removes what is left of the sessions that an account has ended: tokens and devices of earlier epochs
 * with everything that belongs to them, except the spared token and its device. Sessions begun since are
 * of a later epoch and stay, however late this runs.
 */
export async function forgetEndedSessions(deps: ForgetDeps, account: Account): Promise<void> {
  const { epoch, except } = account.sessions;
  const sparedDevice = await deviceOfSpared(deps, account);
  await deps.tokens.deleteMany({
    owner: account._id,
    epoch: { $lt: epoch },
    ...(except === null ? {} : { _id: { $ne: except } }),
  });
  const ended: Filter<OfDevice> = {
    user_id: account._id,
    epoch: { $lt: epoch },
    ...(sparedDevice === null ? {} : { device_id: { $ne: sparedDevice } }),
  };
  for (const collection of belongings(deps)) await collection.deleteMany(ended);
  await deps.devices.deleteMany(ended);
  deps.bus.wake(accountTopic(account._id));
}

/** The id of the device of the only older session that an account still has; null when it has none. */
export async function deviceOfSpared(
  deps: Pick<Deps, 'tokens'>,
  { sessions: { except } }: Account,
): Promise<string | null> {
  if (except === null) return null;
  const token = await deps.tokens.findOne({ _id: except }, { projection: { device_id: 1 } });
  return token?.device_id ?? null;
}
