import { createClient, type Transport } from '@connectrpc/connect';
import { ActivityOwnerService } from '@steward/proto/steward/activity/v1/activity_pb.ts';
import { callPeer } from '@steward/rpc';
import type { ActivityQuery, PlacedEntry } from './stream.ts';
import { STREAMS, type StreamName } from './streams.ts';

/**
 * Reads streams of another service, in one call. When it cannot be reached, callers are refused as unavailable.
 *
 * @returns a function that reads those of the given names which a query names
 */
export function readRemotely(
  transport: Transport,
  names: readonly StreamName[],
): (query: ActivityQuery) => Promise<ReadonlyMap<StreamName, readonly PlacedEntry[]>> {
  const client = createClient(ActivityOwnerService, transport);
  return async ({ userId, until, limit, streams, places, rights }) => {
    const asked = names.filter((name) => streams.includes(name));
    if (asked.length === 0) return new Map();
    const request = {
      userId,
      until: BigInt(until),
      limit,
      streams: asked.map((name) => {
        const after = places.get(name);
        return { name, ...(after ? { after: { ts: BigInt(after.ts), id: after.id } } : {}) };
      }),
      ...(rights.admin ? {} : { scopes: { scopes: [...(rights.scopes ?? [])] } }),
    };
    const answer = await callPeer(() => client.readActivity(request));
    return new Map(
      answer.streams.flatMap(({ name, entries }) =>
        name in STREAMS
          ? [
              [
                name as StreamName,
                entries.flatMap(({ place, entry }) =>
                  place && entry ? [{ place: { ts: Number(place.ts), id: place.id }, entry }] : [],
                ),
              ],
            ]
          : [],
      ),
    );
  };
}
