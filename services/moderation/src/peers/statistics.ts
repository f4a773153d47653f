import type { Transport } from '@connectrpc/connect';
import { type RemoteStatistics, statisticsThrough } from '@steward/statistics';

/** The statistics of the other services. */
export interface PeerStatistics {
  readonly user: RemoteStatistics<'user'>;
  readonly room: RemoteStatistics<'room'>;
  readonly media: RemoteStatistics<'media'>;
}

/** Reads through transports. What a service has is undefined while it cannot be reached. */
export function peerStatisticsThrough(
  transports: {
    readonly [S in keyof PeerStatistics]: Transport;
  },
): PeerStatistics {
  return {
    user: statisticsThrough(transports.user, 'user'),
    room: statisticsThrough(transports.room, 'room'),
    media: statisticsThrough(transports.media, 'media'),
  };
}
