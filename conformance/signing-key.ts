import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { canonicalJson } from '@steward/kernel';
import type { Actor } from '@steward/testing';

type JsonObject = Readonly<Record<string, unknown>>;

/** A key with which a test signs as a client does. */
export interface SigningKey {
  /** In unpadded base64. */
  readonly publicKey: string;
  readonly privateKey: KeyObject;
}

/** A new Ed25519 key. */
export function newSigningKey(): SigningKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  return { publicKey: unpadded(Buffer.from(x, 'base64url')), privateKey };
}

/** An object with an added signature of a user, over all but `signatures` and `unsigned`. */
export function signed<T extends JsonObject>(
  object: T,
  userId: string,
  keyId: string,
  { privateKey }: SigningKey,
): T & { signatures: Record<string, Record<string, string>> } {
  const {
    signatures = {},
    unsigned,
    ...content
  } = object as JsonObject & {
    readonly signatures?: Readonly<Record<string, JsonObject>>;
  };
  const signature = unpadded(sign(null, Buffer.from(canonicalJson(content)), privateKey));
  const own = { ...signatures[userId], [keyId]: signature };
  return { ...object, signatures: { ...signatures, [userId]: own } } as T & {
    signatures: Record<string, Record<string, string>>;
  };
}

/** A cross-signing key of a user, without signatures. */
export function crossSigningKey(userId: string, usage: string, { publicKey }: SigningKey) {
  return { user_id: userId, usage: [usage], keys: { [`ed25519:${publicKey}`]: publicKey } };
}

/** The identity keys of a user's device, signed by the device. */
export function deviceKeysOf({ userId, deviceId }: Pick<Actor, 'userId' | 'deviceId'>, key: SigningKey) {
  const keys = {
    user_id: userId,
    device_id: deviceId,
    algorithms: ['m.olm.v1.curve25519-aes-sha2', 'm.megolm.v1.aes-sha2'],
    keys: { [`curve25519:${deviceId}`]: 'curve', [`ed25519:${deviceId}`]: key.publicKey },
  };
  return signed(keys, userId, `ed25519:${deviceId}`, key);
}

/** Three cross-signing keys, of which the first signs the others. */
export interface CrossSigning {
  readonly master: SigningKey;
  readonly selfSigning: SigningKey;
  readonly userSigning: SigningKey;
  /** The request body that uploads them. */
  readonly body: {
    readonly master_key: JsonObject;
    readonly self_signing_key: JsonObject;
    readonly user_signing_key: JsonObject;
  };
}

/** New cross-signing keys of a user. */
export function newCrossSigning(userId: string): CrossSigning {
  const [master, selfSigning, userSigning] = [newSigningKey(), newSigningKey(), newSigningKey()];
  const byMaster = (usage: string, key: SigningKey) =>
    signed(crossSigningKey(userId, usage, key), userId, `ed25519:${master.publicKey}`, master);
  return {
    master,
    selfSigning,
    userSigning,
    body: {
      master_key: crossSigningKey(userId, 'master', master),
      self_signing_key: byMaster('self_signing', selfSigning),
      user_signing_key: byMaster('user_signing', userSigning),
    },
  };
}

function unpadded(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replace(/=+$/, '');
}
