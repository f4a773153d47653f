import type { Bus, Report } from '@steward/events';
import type { Clock, Random } from '@steward/kernel';
import type { OpenLimits, Quotas } from '@steward/limits';
import type { Authority } from '@steward/rpc';
import type { OpenedCollections, Publisher } from '@steward/service';
import type { CountOf, Counts } from '@steward/statistics';
import type { StoreCapabilities } from '@steward/store';
import type { Tasks } from '@steward/tasks';
import type { Rooms } from '../peers/rooms.ts';
import type { Users } from '../peers/users.ts';
import type { AccessTimes } from './access-times.ts';
import type { BlobStore } from './blobs/mod.ts';
import type { collections } from './collections.ts';
import type { RequireFreeSpace } from './free-space.ts';
import type { Thumbnailer } from './thumbnails/thumbnailer.ts';
import type { Traffic } from './traffic.ts';
import type { UsageRequests } from './usage-requests.ts';

/** The dependencies of the service's functions, created once by `service.ts`. */
export interface Deps extends OpenedCollections<typeof collections>, Publisher {
  readonly serverName: string;
  readonly capabilities: StoreCapabilities;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly random: Random;
  readonly users: Users;
  readonly authority: Authority;
  readonly rooms: Rooms;
  readonly blobs: BlobStore;
  readonly quotas: Quotas;
  readonly limits: Pick<OpenLimits, 'mediaCreate' | 'close'>;
  /** Notifies those who wait for an upload. */
  readonly bus: Pick<Bus, 'notify' | 'onNotification'>;
  readonly traffic: Traffic;
  /** Counts what happens, for the statistics. */
  readonly counts: Counts<CountOf<'media'>>;
  readonly requireFreeSpace: RequireFreeSpace;
  readonly accessTimes: AccessTimes;
  readonly usageRequests: UsageRequests;
  readonly thumbnailer: Thumbnailer;
  readonly tasks: Tasks;
  readonly report: Report;
}

/** The settings that the media service uses. */
export interface Settings {
  /** The largest upload, in bytes. */
  readonly maxUploadBytes: number;
  /** Whether media are served to callers without a token. */
  readonly legacyDownload: boolean;
  /** From where to where media can be moved; `undefined` without a second store. */
  readonly moveRoute: string | undefined;
}
