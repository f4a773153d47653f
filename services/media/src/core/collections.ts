import { declareHourCounts } from '@steward/statistics';
import { declareTasks } from '@steward/tasks';
import { claims } from './model/claim.ts';
import { hashes } from './model/listed-hash.ts';
import { media } from './model/media.ts';
import { pendingUploads } from './model/pending-upload.ts';
import { quarantineChanges } from './model/quarantine-change.ts';
import { usage } from './model/usage.ts';

/** The collections of the service, as its dependencies hold them. */
export const collections = {
  media,
  claims,
  pendingUploads,
  usage,
  quarantineChanges,
  hashes,
  hourCounts: declareHourCounts('media'),
};

/** The collections of the tasks of the service. */
export const tasks = declareTasks('media');
