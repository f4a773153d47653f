import type { Clock } from '@steward/kernel';
import type { Client } from '@steward/rpc';
import { Conflict } from '@steward/store';
import type { Collections } from '../collections.ts';
import { connectionKey, connectionWrites, type UsedToken } from '../model/connection.ts';
import { deviceKey } from '../model/device.ts';
import { createUseBatches, type UseBatches } from './use-batches.ts';

/** How often a token's use from one address is recorded (client-plane.md 2.1). */
const RECORD_INTERVAL_MS = 120_000;

/** How many pairs of token and address are remembered; a use of an evicted pair counts as its first one again. */
const MAX_REMEMBERED = 50_000;

/** Records when tokens were used, without a write for each request. */
export interface LastSeen extends Pick<UseBatches<unknown>, 'flush' | 'close'> {
  /** For the first use of a token from an address, resolves when it is stored; later uses are stored in batches. */
  record(token: UsedToken, client: Client): Promise<void> | undefined;
}

interface Use {
  readonly token: UsedToken;
  readonly client: Client;
  readonly at: number;
}

/**
 * Collects uses of tokens and writes them in batches. A use counts for the token's owner: when an administrator
 * acts as a user, the user is not seen.
 */
export function createLastSeen(
  options: Pick<Collections, 'accounts' | 'devices' | 'connections'> & {
    readonly clock: Clock;
    readonly onFault: (error: unknown) => void;
  },
): LastSeen {
  const { accounts, devices, connections, clock, onFault } = options;
  const write = async (uses: readonly Use[]) => {
    const onDevices = uses.flatMap(({ token, client, at }) =>
      token.device_id === null
        ? []
        : [
            {
              updateOne: {
                // Another process may have written a later use.
                filter: {
                  _id: deviceKey(token.user_id, token.device_id),
                  $or: [{ last_seen_ts: null }, { last_seen_ts: { $lt: at } }],
                },
                update: {
                  $set: {
                    last_seen_ip: client.address,
                    last_seen_user_agent: client.userAgent,
                    last_seen_ts: at,
                  },
                },
              },
            },
          ],
    );
    const onAccounts = uses.map(({ token, at }) => ({
      updateOne: { filter: { _id: token.owner }, update: { $max: { last_seen_ts: at } } },
    }));
    const onConnections = uses.flatMap(({ token, client, at }) => connectionWrites(token, client, at));
    await Promise.all([
      devices.bulkWrite(onDevices, { ordered: false }),
      accounts.unversioned.bulkWrite(onAccounts, { ordered: false }),
      connections.bulkWrite(onConnections, { ordered: false }).catch(unlessConflict),
    ]);
  };
  const limits = { intervalMs: RECORD_INTERVAL_MS, maxRemembered: MAX_REMEMBERED };
  const batches = createUseBatches<Use>({ clock, onFault, ...limits, write });
  return {
    flush: () => batches.flush(),
    close: () => batches.close(),
    record(token, client) {
      const isFirst = batches.add(connectionKey(token, client), (at) => ({ token, client, at }));
      return isFirst ? batches.flush() : undefined;
    },
  };
}

/** Ignores the conflict when another process records the first use of the same pair at the same time. */
function unlessConflict(error: unknown): void {
  if (!(error instanceof Conflict)) throw error;
}
