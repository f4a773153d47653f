import { declareCollection } from '@steward/store';

/** The usages of cross-signing keys, by which users vouch for devices and for each other. */
export const USAGES = ['master', 'self_signing', 'user_signing'] as const;
export type Usage = (typeof USAGES)[number];

/** The cross-signing keys of a user; a user without them has no document. */
export interface CrossSigningKeys {
  /** The user id. */
  _id: string;
  /** Rises with each change. */
  version: number;
  /** The account's session epoch when they were last changed. */
  epoch: number;
  /** Each is the canonical JSON of a key as it was uploaded. */
  master: string;
  self_signing: string | null;
  user_signing: string | null;
  /** The user's signatures over the master key that came since, as a JSON object by key id; `{}` for none. */
  master_signatures: string;
}

/** The signatures of a user over the master key of another. */
export interface KeySignatures {
  /** See `keySignaturesId`. */
  _id: string;
  /** The user who signs. Only this user sees the signatures. */
  user_id: string;
  /** The master key that is signed, in base64: another one of the same user is not. */
  master_key: string;
  /** The signatures as a JSON object by key id. */
  signatures: string;
  /** The signer's session epoch when they were made. */
  epoch: number;
}

/** The key of the document with a user's signatures over another user's master key. */
export function keySignaturesId(signer: string, userId: string): string {
  return JSON.stringify([signer, userId]);
}

/** Cross-signing keys, by user id. */
export const crossSigningKeys = declareCollection<CrossSigningKeys>({
  name: 'user.cross_signing_keys',
  shardKey: '_id',
  indexes: [],
});

/** Signatures of users over the master keys of others. */
export const keySignatures = declareCollection<KeySignatures>({
  name: 'user.key_signatures',
  shardKey: '_id',
  indexes: [{ name: 'by_user', keys: [['user_id', 1]] }],
});
