import type { MessageInitShape } from '@bufbuild/protobuf';
import { type JsonObject, optionalInt64, TIMES_PER_MS } from '@steward/kernel';
import type {
  DeviceEncryptionSchema,
  GetEncryptionRequest,
  GetEncryptionResponseSchema,
} from '@steward/proto/steward/user/v1/encryption_pb.ts';
import pLimit from 'p-limit';
import { existingAccount } from '../../core/accounts/local-user.ts';
import type { Deps } from '../../core/deps.ts';
import { devicesOf } from '../../core/devices/current-devices.ts';
import { publicKeyOf } from '../../core/keys/read-keys.ts';
import { isSignedWith, parseObject, signaturesOf, withSignatures } from '../../core/keys/signed-object.ts';
import { type Device, isDehydrated } from '../../core/model/device.ts';

/** The number of queues that are counted concurrently. */
const CONCURRENT = 8;

/** Returns the state of encryption of an account: its devices, what waits for them, and its key backup. */
export async function getEncryption(
  deps: Deps,
  { userId }: GetEncryptionRequest,
): Promise<MessageInitShape<typeof GetEncryptionResponseSchema>> {
  const account = await existingAccount(deps, userId);
  const keys = await deps.crossSigningKeys.findOne({ _id: userId });
  const selfSigning = parseObject(keys?.self_signing ?? 'null');
  const limited = pLimit(CONCURRENT);
  const devices = (await devicesOf(deps, account)).map((device) =>
    limited(() => toDeviceEncryption(deps, device, selfSigning)),
  );
  const backup = await deps.keyBackups.findOne({ user_id: userId }, { sort: { version: -1 } });
  return {
    crossSigning: keys !== null,
    devices: await Promise.all(devices),
    ...(backup
      ? {
          keyBackup: {
            version: String(backup.version),
            algorithm: backup.algorithm,
            count: BigInt(
              await deps.keyBackupSessions.countDocuments({ user_id: userId, version: backup.version }),
            ),
          },
        }
      : {}),
  };
}

async function toDeviceEncryption(
  deps: Pick<Deps, 'deviceMessages' | 'clock'>,
  device: Device,
  selfSigning: JsonObject | undefined,
): Promise<MessageInitShape<typeof DeviceEncryptionSchema>> {
  const { waiting, oldest } = await queueOf(deps, device);
  return {
    deviceId: device.device_id,
    displayName: device.display_name ?? undefined,
    hasKeys: device.device_keys !== undefined,
    verified: isCrossSigned(device, selfSigning),
    dehydrated: isDehydrated(device),
    waitingMessages: BigInt(waiting),
    oldestWaitingMs: optionalInt64(
      oldest === undefined ? null : Math.max(0, deps.clock.now() - Math.floor(oldest / TIMES_PER_MS)),
    ),
  };
}

/** How many messages wait for a device, and when the oldest one arrived. */
async function queueOf(
  { deviceMessages }: Pick<Deps, 'deviceMessages'>,
  { key_ring: queue }: Device,
): Promise<{ readonly waiting: number; readonly oldest: number | undefined }> {
  if (queue === undefined) return { waiting: 0, oldest: undefined };
  const waiting = { queue, received_ts: 0 };
  const oldest = await deviceMessages.findOne(waiting, { sort: { sent: 1 }, projection: { sent: 1 } });
  return oldest
    ? { waiting: await deviceMessages.countDocuments(waiting), oldest: oldest.sent }
    : { waiting: 0, oldest: undefined };
}

/**
 * Whether the self-signing key of the user has signed the keys of a device. Signatures that came with the keys were not checked
 * when they were uploaded.
 */
function isCrossSigned(
  { user_id, device_keys, cross_signatures }: Device,
  selfSigning: JsonObject | undefined,
): boolean {
  const keys = device_keys === undefined ? undefined : parseObject(device_keys);
  const publicKey = selfSigning && publicKeyOf(selfSigning);
  if (!keys || !publicKey) return false;
  const signed = withSignatures(keys, user_id, cross_signatures);
  return isSignedWith(signed, signaturesOf(signed, user_id)[`ed25519:${publicKey}`], publicKey);
}
