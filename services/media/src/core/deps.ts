import type { Outbox, Relay, Report } from '@steward/events';
import type { Clock, Random } from '@steward/kernel';
import type { Collection } from '@steward/store';
import type { Tasks } from '@steward/tasks';
import type { Rooms } from '../peers/rooms.ts';
import type { Users } from '../peers/users.ts';
import type { AccessTimes } from './access-times.ts';
import type { BlobStore } from './blobs/mod.ts';
import type { Claim } from './model/claim.ts';
import type { Media } from './model/media.ts';
import type { QuarantineChange } from './model/quarantine-change.ts';
import type { Usage } from './model/usage.ts';
import type { Thumbnailer } from './thumbnails/thumbnailer.ts';

/** What the service's functions work with. Made once, by `service.ts`. */
export interface Deps {
  readonly serverName: string;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly random: Random;
  readonly media: Collection<Media>;
  readonly claims: Collection<Claim>;
  readonly usage: Collection<Usage>;
  readonly quarantineChanges: Collection<QuarantineChange>;
  readonly users: Users;
  readonly rooms: Rooms;
  readonly blobs: BlobStore;
  readonly accessTimes: AccessTimes;
  readonly thumbnailer: Thumbnailer;
  readonly tasks: Tasks;
  readonly outbox: Outbox;
  readonly relay: Pick<Relay, 'nudge' | 'delivered'>;
  readonly report: Report;
}

/** The settings of the server that the media service obeys. */
export interface Settings {
  /** The largest upload, in bytes. */
  readonly maxUploadBytes: number;
  /** Whether media are served to those who do not say who they are. */
  readonly legacyDownload: boolean;
}
