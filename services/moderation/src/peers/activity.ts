import type { Transport } from '@connectrpc/connect';
import { type ActivityQuery, type PlacedEntry, readRemotely, type StreamName } from '@steward/activity';

/** The streams of activity of other services. */
export interface RemoteActivity {
  /** Reads those of the streams that the query names, from their services concurrently. */
  read(query: ActivityQuery): Promise<ReadonlyMap<StreamName, readonly PlacedEntry[]>>;
}

/** Reads through transports. When a service cannot be reached, callers are refused as unavailable. */
export function activityThrough(transports: {
  readonly user: Transport;
  readonly room: Transport;
  readonly media: Transport;
}): RemoteActivity {
  const owners = [
    readRemotely(transports.user, ['sign_in', 'address']),
    readRemotely(transports.room, ['membership']),
    readRemotely(transports.media, ['media']),
  ];
  return {
    async read(query) {
      const read = await Promise.all(owners.map((owner) => owner(query)));
      return new Map(read.flatMap((streams) => [...streams]));
    },
  };
}
