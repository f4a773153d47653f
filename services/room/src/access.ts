import { type ServiceAccess, serviceAccess } from '@steward/service';
import { collections, serverKeys, tasks } from './core/collections.ts';
import { TYPING_TOPIC } from './core/typing/typing.ts';
import { consumersOf } from './events/consumers.ts';

/** What the service uses of the database and of the broker. Listing its consumers needs no dependencies. */
export const access: ServiceAccess = serviceAccess('room', {
  collections: [...Object.values(collections), serverKeys, ...Object.values(tasks)],
  consumers: consumersOf(undefined as never, AbortSignal.abort()),
  broadcasts: ['room', TYPING_TOPIC],
});
