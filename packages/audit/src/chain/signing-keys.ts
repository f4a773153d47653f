import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { canonicalJson } from '@steward/kernel';
import type { Checkpoint } from './checkpoint.ts';

/** The algorithm of the keys. */
const ED25519 = 'ed25519';

/** What a signature covers besides the checkpoint or the cut, so that it is of no use elsewhere. */
const CHECKPOINT_PURPOSE = 'steward-audit-checkpoint-1';
const CUT_PURPOSE = 'steward-audit-cut-1';

/** The part of a checkpoint that its signature covers, with the name of the server. */
export type CheckpointContent = Omit<Checkpoint, 'signature'>;

/** The part of a cut that its signature covers, with the name of the server: number and hash of its checkpoint. */
export type CutContent = Pick<Checkpoint, 'number' | 'hash' | 'key_id'>;

/** The keys whose signatures are accepted, by their id. */
export type PublicKeys = ReadonlyMap<string, KeyObject>;

/** The keys of checkpoints. */
export interface SigningKeys {
  /** The id of the key that signs; null without one. */
  readonly keyId: string | null;
  /** Signs a checkpoint that names `keyId`; null without a key. In base64. */
  sign(serverName: string, checkpoint: CheckpointContent): string | null;
  /** Signs a cut that names `keyId`, in the same way. */
  signCut(serverName: string, cut: CutContent): string | null;
  readonly publicKeys: PublicKeys;
}

/**
 * Reads the keys of checkpoints.
 *
 * @param signing the path of a PEM file (PKCS #8) with the private Ed25519 key that signs
 * @param former the paths of PEM files with public Ed25519 keys that signed earlier checkpoints
 * @throws Error with a message of one line for a file that is missing or has no such key
 */
export function readSigningKeys(signing: string | undefined, former: readonly string[]): SigningKeys {
  const publicKeys = new Map<string, KeyObject>();
  const add = (key: KeyObject) => {
    const id = keyIdOf(key);
    publicKeys.set(id, key);
    return id;
  };
  for (const path of former) add(readKey('audit.former_public_key_files', path, 'a public', createPublicKey));
  if (signing === undefined) return { keyId: null, sign: () => null, signCut: () => null, publicKeys };
  const own = readKey('audit.signing_key_file', signing, 'a private', createPrivateKey);
  const signature = (bytes: Buffer) => sign(null, bytes, own).toString('base64');
  return {
    keyId: add(createPublicKey(own)),
    sign: (serverName, checkpoint) => signature(checkpointBytes(serverName, checkpoint)),
    signCut: (serverName, cut) => signature(cutBytes(serverName, cut)),
    publicKeys,
  };
}

/** Whether a signature of a checkpoint, in base64, is by this key. */
export function isSignedBy(
  key: KeyObject,
  serverName: string,
  checkpoint: CheckpointContent,
  signature: string,
): boolean {
  return isSignatureOf(() => checkpointBytes(serverName, checkpoint), key, signature);
}

/** Whether a signature of a cut, in base64, is by this key. */
export function isCutSignedBy(
  key: KeyObject,
  serverName: string,
  cut: CutContent,
  signature: string,
): boolean {
  return isSignatureOf(() => cutBytes(serverName, cut), key, signature);
}

/** What this server cannot have signed has no valid signature. */
function isSignatureOf(bytes: () => Buffer, key: KeyObject, signature: string): boolean {
  try {
    return verify(null, bytes(), key, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}

/** The id of a public key: the SHA-256 hash of its DER form, in hexadecimal. */
export function keyIdOf(key: KeyObject): string {
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex');
}

/**
 * Reads a public Ed25519 key in PEM.
 *
 * @throws Error when it is none
 */
export function readPublicKey(pem: string): KeyObject {
  return ofEd25519(createPublicKey(pem));
}

function checkpointBytes(serverName: string, checkpoint: CheckpointContent): Buffer {
  const { number, hash, ts, newest_ts, previous, key_id } = checkpoint;
  return bytesOf(CHECKPOINT_PURPOSE, serverName, { number, hash, ts, newest_ts, previous, key_id });
}

function cutBytes(serverName: string, { number, hash, key_id }: CutContent): Buffer {
  return bytesOf(CUT_PURPOSE, serverName, { number, hash, key_id });
}

function bytesOf(purpose: string, serverName: string, content: object): Buffer {
  return Buffer.from(canonicalJson({ purpose, server_name: serverName, ...content }));
}

function readKey(setting: string, path: string, kind: string, parse: (pem: string) => KeyObject): KeyObject {
  let pem: string;
  try {
    pem = readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(`${setting}: ${path} cannot be read (${(error as { code?: string }).code})`);
  }
  try {
    return ofEd25519(parse(pem));
  } catch {
    // The error of the parser is not repeated: it could quote the key.
    throw new Error(`${setting}: ${path} does not contain ${kind} Ed25519 key in PEM`);
  }
}

function ofEd25519(key: KeyObject): KeyObject {
  if (key.asymmetricKeyType !== ED25519) throw new Error('The key is of another algorithm');
  return key;
}
