import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { isObject, type JsonObject, NotCanonical, own } from '@steward/kernel';
import type {
  UploadSignaturesRequest,
  UploadSignaturesResponseSchema,
} from '@steward/proto/steward/user/v1/keys_pb.ts';
import { requester } from '@steward/rpc';
import { Conflict, retryOnConflict } from '@steward/store';
import type { Deps } from '../../core/deps.ts';
import { changeKeys } from '../../core/key-changes/change-keys.ts';
import { announceKeyChange } from '../../core/key-changes/key-change-stream.ts';
import { changeDeviceKeys, isKeyed } from '../../core/keys/change-device-keys.ts';
import { publicKeyOf, signingKeyOf } from '../../core/keys/read-keys.ts';
import { requireNotEmptied } from '../../core/keys/require-not-emptied.ts';
import { isSignedWith, parseObject, signaturesOf, signedContent } from '../../core/keys/signed-object.ts';
import { type CrossSigningKeys, keySignaturesId } from '../../core/model/cross-signing-keys.ts';
import { deviceKey } from '../../core/model/device.ts';
import { activeSession } from '../../core/sessions/active-session.ts';
import { jsonObject } from './parse-by-user.ts';

/** The maximum of signed keys in a request; clients send a few. */
const MAX_SIGNED_KEYS = 500;

/** Why a signature is not accepted. */
interface Failure {
  readonly errcode: string;
  readonly error: string;
}

const NOT_FOUND: Failure = { errcode: 'M_NOT_FOUND', error: 'There is no such key' };
const OTHER_KEY: Failure = { errcode: 'M_INVALID_PARAM', error: 'The key is not the one that is published' };
const NOT_SIGNED: Failure = { errcode: 'M_INVALID_SIGNATURE', error: 'The signature is missing or wrong' };

/** The user who signs. */
interface Signer {
  readonly userId: string;
  /** The account's session epoch. */
  readonly epoch: number;
  readonly keys: CrossSigningKeys | null;
}

/** A signed key of a request. */
interface Signed {
  readonly userId: string;
  /** A device id, or the public key of a master key. */
  readonly id: string;
  readonly object: JsonObject;
}

/**
 * Publishes signatures of the caller (client-plane.md 12): by their self-signing key over their devices, by
 * their devices over their master key, and by their user-signing key over the master keys of other users. Only
 * the caller sees the last kind.
 */
export async function uploadSignatures(
  deps: Deps,
  request: UploadSignaturesRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof UploadSignaturesResponseSchema>> {
  const caller = requester(context);
  const { userId } = caller;
  const signed = readSigned(request.signatures);
  const { account } = await activeSession(deps, caller);
  const keys = await deps.crossSigningKeys.findOne({ _id: userId });
  const signer: Signer = { userId, epoch: account.sessions.epoch, keys };
  const failures = new Map<string, Map<string, string>>();
  for (const key of signed) {
    const failure = await publishSignature(deps, signer, key);
    if (!failure) continue;
    const ofUser = failures.get(key.userId) ?? new Map<string, string>();
    failures.set(key.userId, ofUser.set(key.id, JSON.stringify(failure)));
  }
  return { failures: Object.fromEntries([...failures].map(([user, keys]) => [user, jsonObject(keys)])) };
}

/** @throws refuse.badJson, refuse.invalidParam */
function readSigned(text: string): readonly Signed[] {
  const signed = Object.entries(parseObject(text) ?? {}).flatMap(([userId, keys]) => {
    if (!isObject(keys)) throw refuse.badJson('Signed keys must be in an object by user id');
    return Object.entries(keys).map(([id, object]): Signed => {
      if (!isObject(object)) throw refuse.badJson('A signed key must be an object');
      return { userId, id, object };
    });
  });
  if (signed.length > MAX_SIGNED_KEYS)
    throw refuse.invalidParam(`A request holds at most ${MAX_SIGNED_KEYS} signed keys`);
  return signed;
}

function publishSignature(deps: Deps, signer: Signer, signed: Signed): Promise<Failure | undefined> {
  if (signed.userId !== signer.userId) return signOther(deps, signer, signed);
  const master = signer.keys && publicKeyOf(parseObject(signer.keys.master) ?? {});
  return signed.id === master ? signOwnMaster(deps, signer.userId, signed) : signDevice(deps, signer, signed);
}

/** Stores a signature over a device of the caller, by their self-signing key. */
async function signDevice(deps: Deps, signer: Signer, { id, object }: Signed): Promise<Failure | undefined> {
  const device = await deps.devices.findOne({ _id: deviceKey(signer.userId, id) });
  if (!device || !isKeyed(device) || device.device_keys === undefined) return NOT_FOUND;
  if (!isSame(object, device.device_keys)) return OTHER_KEY;
  const signature = signatureBy(signer.keys?.self_signing, signer.userId, object);
  if (!signature) return NOT_SIGNED;
  const signatures = JSON.stringify(signature);
  if (device.cross_signatures === signatures) return undefined;
  let failure: Failure | undefined;
  const changed = await changeKeys(deps, signer.userId, () =>
    changeDeviceKeys(deps, device, (now) => {
      failure = now.device_keys !== undefined && isSame(object, now.device_keys) ? undefined : OTHER_KEY;
      return failure || now.cross_signatures === signatures
        ? undefined
        : { $set: { cross_signatures: signatures } };
    }),
  );
  return changed ? failure : NOT_FOUND;
}

/** Stores signatures over the caller's master key, by their devices. */
function signOwnMaster(deps: Deps, userId: string, { object }: Signed): Promise<Failure | undefined> {
  return retryOnConflict(async () => {
    const keys = await deps.crossSigningKeys.findOne({ _id: userId });
    if (!keys || !isSame(object, keys.master)) return OTHER_KEY;
    const since = parseObject(keys.master_signatures) ?? {};
    const known = { ...signaturesOf(parseObject(keys.master) ?? {}, userId), ...since };
    const made = signaturesOf(object, userId);
    const fresh = Object.entries(made).filter(([keyId, signature]) => known[keyId] !== signature);
    const signers = await signingKeysOf(deps, userId, [...Object.keys(since), ...Object.keys(made)]);
    const isValid = ([keyId, signature]: readonly [string, unknown]) =>
      isSignedWith(object, signature, signers.get(keyId) ?? '');
    if (Object.keys(made).length === 0 || !fresh.every(isValid)) return NOT_SIGNED;
    if (fresh.length === 0) return undefined;
    // Signatures of deleted devices prove nothing, and would accumulate.
    const kept = Object.entries(since).filter(([keyId]) => signers.has(keyId));
    const master_signatures = JSON.stringify(Object.fromEntries([...kept, ...fresh]));
    await changeKeys(deps, userId, async () => {
      const { matchedCount } = await deps.crossSigningKeys.updateOne(
        { _id: userId, version: keys.version },
        { $set: { master_signatures }, $inc: { version: 1 } },
      );
      if (matchedCount === 0) throw new Conflict('version');
    });
    return undefined;
  }, deps);
}

/** Stores a signature over the master key of another user, by the caller's user-signing key. */
async function signOther(deps: Deps, signer: Signer, signed: Signed): Promise<Failure | undefined> {
  const { id, object, userId } = signed;
  const other = await deps.crossSigningKeys.findOne({ _id: userId }, { projection: { master: 1 } });
  if (!other || publicKeyOf(parseObject(other.master) ?? {}) !== id) return NOT_FOUND;
  if (!isSame(object, other.master)) return OTHER_KEY;
  const signature = signatureBy(signer.keys?.user_signing, signer.userId, object);
  if (!signature) return NOT_SIGNED;
  await deps.keySignatures.updateOne(
    { _id: keySignaturesId(signer.userId, userId) },
    {
      $set: {
        user_id: signer.userId,
        master_key: id,
        signatures: JSON.stringify(signature),
        epoch: signer.epoch,
      },
    },
    { upsert: true },
  );
  await requireNotEmptied(deps, signer.userId, signer.epoch);
  // Repeated after a crash, the request announces it again.
  await announceKeyChange(deps, userId, signer.userId);
  return undefined;
}

/** Whether an object equals the published one, apart from signatures. */
function isSame(object: JsonObject, published: string): boolean {
  try {
    return signedContent(object) === signedContent(parseObject(published) ?? {});
  } catch (error) {
    if (error instanceof NotCanonical) return false;
    throw error;
  }
}

/** The valid signature of a cross-signing key over an object, by key id. */
function signatureBy(
  key: string | null | undefined,
  userId: string,
  object: JsonObject,
): JsonObject | undefined {
  const publicKey = key ? publicKeyOf(parseObject(key) ?? {}) : undefined;
  if (publicKey === undefined) return undefined;
  const keyId = `ed25519:${publicKey}`;
  const signature = own(signaturesOf(object, userId), keyId);
  return isSignedWith(object, signature, publicKey) ? { [keyId]: signature } : undefined;
}

/** The signing keys of the user's existing devices, by key id. */
async function signingKeysOf(
  deps: Deps,
  userId: string,
  keyIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const ids = keyIds.map((keyId) => deviceKey(userId, keyId.slice(keyId.indexOf(':') + 1)));
  const devices = await deps.devices
    .find({ _id: { $in: ids } }, { projection: { device_id: 1, device_keys: 1 } })
    .toArray();
  return new Map(
    devices.flatMap(({ device_id, device_keys }) => {
      const key = device_keys === undefined ? undefined : signingKeyOf(device_keys, device_id);
      return key === undefined ? [] : [[`ed25519:${device_id}`, key] as const];
    }),
  );
}
