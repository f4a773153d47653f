import type { OpenedCollections } from '@steward/service';
import { declareHourCounts } from '@steward/statistics';
import { declareServerKeys } from '@steward/store';
import { declareTasks } from '@steward/tasks';
import { accounts } from './model/account.ts';
import { accountData, accountDataStreams } from './model/account-data.ts';
import { adminSessions } from './model/admin-session.ts';
import { automationTokens } from './model/automation-token.ts';
import { connections } from './model/connection.ts';
import { crossSigningKeys, keySignatures } from './model/cross-signing-keys.ts';
import { dehydratedDevices } from './model/dehydrated-device.ts';
import { devices } from './model/device.ts';
import { deviceMessages, deviceQueues } from './model/device-message.ts';
import { endedSessions } from './model/ended-sessions.ts';
import { filters } from './model/filter.ts';
import { groups } from './model/group.ts';
import { interactiveSessions } from './model/interactive-session.ts';
import { keyBackupSessions, keyBackups } from './model/key-backup.ts';
import { keyChangeIntents, keyChangeStreams, keyChanges } from './model/key-change.ts';
import { loginTokens } from './model/login-token.ts';
import { oneTimeKeys } from './model/one-time-key.ts';
import { openIdTokens } from './model/openid-token.ts';
import { passkeyChallenges } from './model/passkey.ts';
import { providerSignIns } from './model/provider-sign-in.ts';
import { pushers } from './model/pusher.ts';
import { refreshTokens } from './model/refresh-token.ts';
import { registrationTokens } from './model/registration-token.ts';
import { roles } from './model/role.ts';
import { storedSignIns } from './model/sign-in.ts';
import { spentNonces } from './model/spent-nonce.ts';
import { tokens } from './model/token.ts';

/** Every collection of the service, under the name by which `Deps` holds it. */
export const collections = {
  accounts,
  devices,
  dehydratedDevices,
  deviceMessages,
  deviceQueues,
  tokens,
  refreshTokens,
  adminSessions,
  endedSessions,
  connections,
  storedSignIns,
  pushers,
  accountData,
  accountDataStreams,
  filters,
  oneTimeKeys,
  crossSigningKeys,
  keySignatures,
  keyChanges,
  keyChangeStreams,
  keyChangeIntents,
  keyBackups,
  keyBackupSessions,
  interactiveSessions,
  openIdTokens,
  passkeyChallenges,
  providerSignIns,
  loginTokens,
  registrationTokens,
  roles,
  groups,
  automationTokens,
  spentNonces,
  hourCounts: declareHourCounts('user'),
  serverKeys: declareServerKeys('user'),
} as const;

/** The opened collections, as `Deps` holds them. */
export type Collections = OpenedCollections<typeof collections>;

/** The collections of the tasks of the service. */
export const tasks = declareTasks('user');
