import { type ServiceAccess, serviceAccess } from '@steward/service';
import { collections, tasks } from './core/collections.ts';
import { consumers } from './events/consumers.ts';

/** What the service uses of the database and of the broker. Listing its consumers needs no dependencies. */
export const access: ServiceAccess = serviceAccess('user', {
  collections: [...Object.values(collections), ...Object.values(tasks)],
  consumers: consumers(undefined as never),
  broadcasts: ['user'],
});
