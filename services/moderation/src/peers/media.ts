import { createClient, type Transport } from '@connectrpc/connect';
import { MediaStatisticsService } from '@steward/proto/steward/media/v1/statistics_pb.ts';
import { callPeer } from '@steward/rpc';

/** The calls of the moderation service to the media service, apart from tasks. */
export interface MediaUsage {
  /** Returns the number of a user's media, and their size in bytes. */
  of(userId: string): Promise<{ readonly count: bigint; readonly bytes: bigint }>;
}

/** Calls the media service through a transport. When it cannot be reached, callers are refused as unavailable. */
export function mediaUsageThrough(transport: Transport): MediaUsage {
  const client = createClient(MediaStatisticsService, transport);
  return {
    async of(userId) {
      const { mediaCount: count, mediaLength: bytes } = await callPeer(() => client.getUsage({ userId }));
      return { count, bytes };
    },
  };
}
