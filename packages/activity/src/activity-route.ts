import { refuse } from '@steward/errors';
import { ActivityOwnerService } from '@steward/proto/steward/activity/v1/activity_pb.ts';
import { type Route, route } from '@steward/rpc';
import { readStreams } from './read-streams.ts';
import type { ActivityStream, Place } from './stream.ts';
import { STREAMS, type StreamName } from './streams.ts';

/** The most entries of a stream in an answer: one more than those of a page. */
const MAX_ENTRIES = 1_001;

/** The RPC with which another service reads the streams of this one. */
export function activityRoute(streams: readonly ActivityStream[]): Route {
  return route(ActivityOwnerService, {
    async readActivity({ userId, until, limit, streams: asked, scopes }) {
      if (limit < 1 || limit > MAX_ENTRIES)
        throw refuse.invalidParam(`At most ${MAX_ENTRIES} entries at once`);
      const places = new Map<StreamName, Place>();
      for (const { name, after } of asked)
        if (after) places.set(name as StreamName, { ts: Number(after.ts), id: after.id });
      const read = await readStreams(streams, {
        userId,
        until: Number(until),
        limit,
        streams: asked.map(({ name }) => name as StreamName),
        places,
        rights: scopes ? { admin: false, scopes: scopes.scopes } : { admin: true },
      });
      return {
        streams: [...read].map(([name, entries]) => ({
          name,
          entries: entries.map(({ place: { ts, id }, entry }) => ({
            place: { ts: BigInt(ts), id },
            entry: { ...entry, type: STREAMS[name], ts: BigInt(ts) },
          })),
        })),
      };
    },
  });
}
