import type { Config } from '@steward/config';
import type { Bus, Outbox, Relay } from '@steward/events';
import type { Clock, Random } from '@steward/kernel';
import type { Limits } from '@steward/limits';
import type { Collection } from '@steward/store';
import type { AccountData, AccountDataStream } from './model/account-data.ts';
import type { Account } from './model/account.ts';
import type { MonthlyUsers } from './components/monthly-users.ts';
import type { Device } from './model/device.ts';
import type { Rooms } from '../peers/rooms.ts';
import type { Filter } from './model/filter.ts';
import type { InteractiveSession } from './interactive-auth/interactive-session.ts';
import type { KeyBackup, KeyBackupSession } from './model/key-backup.ts';
import type { CrossSigningKeys, KeySignatures } from './model/cross-signing-keys.ts';
import type { OneTimeKey } from './model/one-time-key.ts';
import type { PasswordPolicy } from './model/password-policy.ts';
import type { Pusher } from './model/pusher.ts';
import type { SpentNonce } from '../verbs/registration/nonce.ts';
import type { RegistrationToken } from './model/registration-token.ts';
import type { BackgroundUpdates } from '../verbs/server/maintenance.ts';
import type { Connection } from './model/connection.ts';
import type { EndedSessions } from './accounts/effects/end-sessions.ts';
import type { LastSeen } from './components/last-seen.ts';
import type { Passwords } from './components/passwords.ts';
import type { RefreshToken } from './model/refresh-token.ts';
import type { Token } from './model/token.ts';

/** What the service's functions work with. Made once, by `service.ts`. */
export interface Deps {
  readonly serverName: string;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly random: Random;
  readonly accounts: Collection<Account>;
  readonly devices: Collection<Device>;
  readonly tokens: Collection<Token>;
  readonly refreshTokens: Collection<RefreshToken>;
  readonly endedSessions: Collection<EndedSessions>;
  readonly connections: Collection<Connection>;
  readonly pushers: Collection<Pusher>;
  readonly accountData: Collection<AccountData>;
  readonly accountDataStreams: Collection<AccountDataStream>;
  readonly filters: Collection<Filter>;
  readonly oneTimeKeys: Collection<OneTimeKey>;
  readonly crossSigningKeys: Collection<CrossSigningKeys>;
  readonly keySignatures: Collection<KeySignatures>;
  readonly keyBackups: Collection<KeyBackup>;
  readonly keyBackupSessions: Collection<KeyBackupSession>;
  readonly interactiveSessions: Collection<InteractiveSession>;
  readonly registrationTokens: Collection<RegistrationToken>;
  readonly spentNonces: Collection<SpentNonce>;
  readonly passwords: Passwords;
  readonly limits: Limits;
  readonly monthlyUsers: MonthlyUsers;
  readonly lastSeen: LastSeen;
  readonly rooms: Rooms;
  readonly backgroundUpdates: BackgroundUpdates;
  readonly bus: Pick<Bus, 'wake'>;
  readonly outbox: Outbox;
  readonly relay: Pick<Relay, 'nudge' | 'delivered'>;
  /** Signs the nonces of shared-secret registration; the same in every instance. */
  readonly nonceKey: Buffer;
}

/** The settings of the server that the user service obeys. */
export interface Settings {
  /** The secret of shared-secret registration; empty when there is none. */
  readonly registrationSecret: string;
  /** Whether people may create accounts themselves. */
  readonly registrationEnabled: boolean;
  /** Whether they need a registration token for it. */
  readonly registrationNeedsToken: boolean;
  /** Whether nobody is told which user names are taken before they register. */
  readonly takenNamesHidden: boolean;
  /** Whether people are let in without a name or a password. */
  readonly guestsAdmitted: boolean;
  /** Whether clients may have access tokens that expire and are renewed. */
  readonly refreshTokens: boolean;
  /** How long such an access token is good. */
  readonly accessTokenLifetimeMs: number;
  /** Where those turn to whom the server has no room for, as a URI. */
  readonly adminContact: string | undefined;
  /** Whether accounts are managed by an external service. */
  readonly delegatedAuthentication: boolean;
  /** Where clients reach the server; undefined where nobody said. */
  readonly publicBaseUrl: string | undefined;
  /** Whom users turn to. */
  readonly support: Config['support'];
  /** The version of rooms that are created without naming one. */
  readonly defaultRoomVersion: string;
  /** Whether users log in with passwords. */
  readonly passwordLogin: boolean;
  /** Whether users may have passwords of this server. */
  readonly passwordsMaySet: boolean;
  /** Whether accounts whose time is over are refused. */
  readonly accountValidityEnabled: boolean;
  /** How long an account is valid once it is renewed. */
  readonly accountValidityPeriodMs: number;
  /** What passwords that users choose must be like. */
  readonly passwordPolicy: PasswordPolicy;
  /** How long a success of user-interactive authentication counts for harmless operations; 0 for not at all. */
  readonly interactiveGraceMs: number;
  /** The search for other users. */
  readonly userDirectory: {
    readonly enabled: boolean;
    /** Whether everybody is found, rather than those whom the searcher may have met in a room. */
    readonly searchAllUsers: boolean;
    readonly showLockedUsers: boolean;
  };
  /** The localpart of the user who sends server notices. */
  readonly noticesLocalpart: string;
  /** How long a shadow-banned user waits for what others have at once. */
  readonly shadowBanPause: { readonly minMs: number; readonly maxMs: number };
}
