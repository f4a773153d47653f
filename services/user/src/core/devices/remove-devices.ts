import { accountTopic } from '@steward/events';
import type { Collection, Filter } from '@steward/store';
import type { Deps } from '../deps.ts';
import { type ChangeDeps, changeKeys } from '../key-changes/change-keys.ts';
import type { Account } from '../model/account.ts';
import type { AdminSession } from '../model/admin-session.ts';
import type { Device } from '../model/device.ts';
import type { Token } from '../model/token.ts';
import { removeDehydratedDevice } from './dehydrated-device.ts';

/** The number of devices that are removed together. */
const BATCH = 500;

/** The dependencies of the functions below. */
export type RemovalDeps = ChangeDeps &
  Pick<
    Deps,
    | 'bus'
    | 'clock'
    | 'random'
    | 'tokens'
    | 'devices'
    | 'dehydratedDevices'
    | 'refreshTokens'
    | 'adminSessions'
    | 'oneTimeKeys'
    | 'deviceMessages'
    | 'deviceQueues'
    | 'pushers'
  >;

/** The fields of every document that belongs to a device. */
interface OfDevice {
  readonly _id: string;
  readonly user_id: string;
  readonly device_id: string | null;
  /** The account's session epoch in which it was created. */
  readonly epoch: number;
}

/** The collections of documents that are removed with their device, besides the device and its tokens. */
function ownedCollections({
  refreshTokens,
  oneTimeKeys,
  deviceMessages,
  deviceQueues,
  pushers,
}: RemovalDeps): readonly Pick<Collection<OfDevice>, 'deleteMany'>[] {
  return [refreshTokens, oneTimeKeys, deviceMessages, deviceQueues, pushers];
}

/**
 * Removes devices with everything that belongs to them (client-plane.md 7.6). The tokens are removed first and the
 * device last: after a crash in between, the device is logged out but still listed, so it can be removed again.
 * Its documents are removed once more at the end, because a concurrent request may have written further ones.
 *
 * @param spared the digest of a token that is not removed
 */
export async function removeDevices(
  deps: RemovalDeps,
  userId: string,
  deviceIds: readonly string[],
  spared?: string,
): Promise<void> {
  for (let start = 0; start < deviceIds.length; start += BATCH) {
    const batch = deviceIds.slice(start, start + BATCH);
    const chosen = { user_id: userId, device_id: { $in: batch } };
    const removeDocuments = async () => {
      await removeDehydratedDevice(deps, userId, ({ device_id }) => batch.includes(device_id));
      await deps.tokens.deleteMany(spared === undefined ? chosen : { ...chosen, _id: { $ne: spared } });
      for (const collection of ownedCollections(deps)) await collection.deleteMany(chosen);
    };
    await removeDocuments();
    await removeShown(deps, userId, chosen);
    await removeDocuments();
  }
  deps.bus.notify(accountTopic(userId));
}

/**
 * Removes the documents of the sessions that an account has ended: tokens and devices of earlier epochs with
 * everything that belongs to them, except the spared token and its device. Later sessions have a later epoch and
 * stay, however late this runs.
 */
export async function removeEndedSessions(deps: RemovalDeps, account: Account): Promise<void> {
  const { epoch } = account.sessions;
  const ended = await endedSessions(deps, account);
  await removeDehydratedDevice(deps, account._id, (device) => device.epoch < epoch);
  await deps.tokens.deleteMany(ended.ofTokens);
  await deps.adminSessions.deleteMany(ended.ofAdminSessions);
  if (account.admin_term !== undefined) {
    // The tokens of earlier terms with which the user acted as others.
    await deps.tokens.deleteMany({
      owner: account._id,
      user_id: { $ne: account._id },
      $nor: [{ admin_term: { $gte: account.admin_term } }],
    });
  }
  for (const collection of ownedCollections(deps)) await collection.deleteMany(ended.ofDevices);
  await removeShown(deps, account._id, ended.ofDevices);
  deps.bus.notify(accountTopic(account._id));
}

/** What selects the documents of the sessions that an account has ended. */
interface EndedSessions {
  readonly ofTokens: Filter<Token>;
  readonly ofAdminSessions: Filter<AdminSession>;
  /** In each collection of documents that belong to a device. */
  readonly ofDevices: Filter<OfDevice>;
}

/** Selects the documents of the sessions that an account has ended with its epoch. */
export async function endedSessions(
  deps: Pick<Deps, 'tokens'>,
  account: Pick<Account, '_id' | 'sessions'>,
): Promise<EndedSessions> {
  const { _id: userId, sessions } = account;
  const spared = sessions.except === null ? {} : { _id: { $ne: sessions.except } };
  const sparedDevice = await sparedDeviceOf(deps, account);
  const epoch = { $lt: sessions.epoch };
  return {
    ofTokens: { owner: userId, epoch, ...spared },
    ofAdminSessions: { user_id: userId, epoch, ...spared },
    ofDevices: {
      user_id: userId,
      epoch,
      ...(sparedDevice === null ? {} : { device_id: { $ne: sparedDevice } }),
    },
  };
}

/**
 * Removes devices whose tokens are gone; others learn of it if these had keys. A key ring is older than every check of the
 * session by which keys are written: a device without one gets no keys any more.
 */
async function removeShown(deps: RemovalDeps, userId: string, filter: Filter<Device>): Promise<void> {
  const remove = () => deps.devices.deleteMany(filter);
  const keyed = await deps.devices.findOne(
    { ...filter, key_ring: { $exists: true } },
    { projection: { _id: 1 } },
  );
  await (keyed ? changeKeys(deps, userId, remove) : remove());
}

/** The id of the device of the only older session that an account still has; null when it has none. */
export async function sparedDeviceOf(
  deps: Pick<Deps, 'tokens'>,
  { sessions: { except } }: Pick<Account, 'sessions'>,
): Promise<string | null> {
  if (except === null) return null;
  const token = await deps.tokens.findOne({ _id: except }, { projection: { device_id: 1 } });
  return token?.device_id ?? null;
}
