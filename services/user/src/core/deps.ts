import type { Bus, Outbox, Relay } from '@steward/events';
import type { Clock, Random } from '@steward/kernel';
import type { OpenLimits, Quotas } from '@steward/limits';
import type { CountOf, Counts } from '@steward/statistics';
import type { Tasks } from '@steward/tasks';
import type { Counter, Labels } from '@steward/telemetry';
import type { Media } from '../peers/media.ts';
import type { Rooms } from '../peers/rooms.ts';
import type { Collections } from './collections.ts';
import type { BackgroundUpdates } from './components/background-updates.ts';
import type { ExternalIdMutex } from './components/external-id-mutex.ts';
import type { KnownSecrets } from './components/known-secrets.ts';
import type { LastSeen } from './components/last-seen.ts';
import type { MonthlyUsers } from './components/monthly-users.ts';
import type { Passwords } from './components/passwords.ts';
import type { SealedSecrets } from './components/sealed-secrets.ts';
import type { SignIns } from './components/sign-ins.ts';
import type { TokenUses } from './components/token-uses.ts';
import type { IdentityProviders } from './identity-providers/identity-providers.ts';
import type { Introspector } from './introspection/introspector.ts';
import type { Settings } from './settings.ts';

/** The dependencies of the service's functions. `service.ts` creates them once. */
export interface Deps extends Collections {
  readonly serverName: string;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly random: Random;
  readonly passwords: Passwords;
  /** Encrypts the secrets of second factors for the store. */
  readonly sealedSecrets: SealedSecrets;
  readonly limits: OpenLimits;
  readonly signIns: SignIns;
  /** Counts access tokens that are refused. */
  readonly tokenRefusals: Counter<Labels<'steward_auth_refusals_total'>>;
  /** Counts messages that are dropped because too many wait for the device. */
  readonly droppedMessages: Counter<Labels<'steward_device_messages_dropped_total'>>;
  /** Counts what happens, for the statistics. */
  readonly counts: Counts<CountOf<'user'>>;
  readonly quotas: Quotas;
  readonly monthlyUsers: MonthlyUsers;
  readonly lastSeen: LastSeen;
  readonly tokenUses: TokenUses;
  /** Gives messages between devices their times of arrival, see `risingTimes`. */
  readonly nextMessageTime: () => number;
  readonly knownSecrets: KnownSecrets;
  readonly externalIdMutex: ExternalIdMutex;
  readonly identityProviders: IdentityProviders;
  /** Asks the issuer of delegated authentication; undefined where access tokens are those of this server. */
  readonly introspector: Introspector | undefined;
  readonly rooms: Rooms;
  readonly media: Media;
  readonly backgroundUpdates: BackgroundUpdates;
  readonly bus: Pick<Bus, 'notify'>;
  readonly outbox: Outbox;
  readonly relay: Pick<Relay, 'notify' | 'delivered'>;
  /** The tasks of this service. */
  readonly tasks: Tasks;
  /** Signs the nonces of shared-secret registration; the same in every instance. */
  readonly nonceKey: Buffer;
}
