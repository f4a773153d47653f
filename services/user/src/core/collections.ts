import { type Collection, type CollectionDeclaration, declareServerKeys, type Store } from '@steward/store';
import { accounts } from './model/account.ts';
import { accountData, accountDataStreams } from './model/account-data.ts';
import { connections } from './model/connection.ts';
import { crossSigningKeys, keySignatures } from './model/cross-signing-keys.ts';
import { devices } from './model/device.ts';
import { endedSessions } from './model/ended-sessions.ts';
import { filters } from './model/filter.ts';
import { interactiveSessions } from './model/interactive-session.ts';
import { keyBackupSessions, keyBackups } from './model/key-backup.ts';
import { oneTimeKeys } from './model/one-time-key.ts';
import { pushers } from './model/pusher.ts';
import { refreshTokens } from './model/refresh-token.ts';
import { registrationTokens } from './model/registration-token.ts';
import { spentNonces } from './model/spent-nonce.ts';
import { tokens } from './model/token.ts';

/** Every collection of the service, under the name by which `Deps` holds it. */
export const collections = {
  accounts,
  devices,
  tokens,
  refreshTokens,
  endedSessions,
  connections,
  pushers,
  accountData,
  accountDataStreams,
  filters,
  oneTimeKeys,
  crossSigningKeys,
  keySignatures,
  keyBackups,
  keyBackupSessions,
  interactiveSessions,
  registrationTokens,
  spentNonces,
} as const;

/** The opened collections. */
export type Collections = {
  readonly [K in keyof typeof collections]: (typeof collections)[K] extends CollectionDeclaration<infer T>
    ? Collection<T>
    : never;
};

/** Opens every collection of the service. */
export async function openCollections(store: Store): Promise<Collections> {
  const opened = Object.entries(collections).map(async ([name, declaration]) => [
    name,
    await store.collection(declaration as CollectionDeclaration<{ _id: string }>),
  ]);
  return Object.fromEntries(await Promise.all(opened));
}

/** Keys that all instances of the service share. */
export const serverKeys = declareServerKeys('user');
