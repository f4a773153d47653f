import { access, constants, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createClient, type Transport } from '@connectrpc/connect';
import type { Config } from '@steward/config';
import type { Bus } from '@steward/events';
import {
  Health,
  HealthCheckResponse_ServingStatus as ServingStatus,
} from '@steward/proto/health/v1/health_pb.ts';
import type { Store } from '@steward/store';
import type { Peer } from '../open-peer.ts';
import type { Check } from './readiness.ts';

/** How long a service may take to answer, in milliseconds. */
const ANSWER_LIMIT_MS = 1_400;

/** The store, without which a service answers no request. */
export function checkStore(store: Pick<Store, 'healthy'>): Check {
  return { need: 'store', without: 'unready', passes: () => store.healthy() };
}

/** The broker. While it is away, requests are answered, and what follows from them waits in the outbox. */
export function checkBroker(bus: Pick<Bus, 'connected'>): Check {
  return { need: 'broker', without: 'degraded', passes: () => bus.connected };
}

/** The disk of the data directory: it can be written to, and has the space that uploads leave free. */
export function checkDisk({ server, media }: Pick<Config, 'server' | 'media'>): Check {
  return {
    need: 'disk',
    without: 'degraded',
    async passes() {
      const folder = await existing(server.data);
      await access(folder, constants.W_OK);
      const { bavail, bsize } = await statfs(folder);
      return bavail * bsize >= media.min_free_bytes;
    },
  };
}

/** The folder, or while it does not exist the one in which it will be made. */
async function existing(folder: string): Promise<string> {
  try {
    await access(folder);
    return folder;
  } catch (error) {
    const above = dirname(folder);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || above === folder) throw error;
    return existing(above);
  }
}

/** Services that the process calls: whether an instance of each is ready. */
export function checkPeers(
  peers: Readonly<Partial<Record<Peer, Transport>>>,
  without: (peer: Peer) => Check['without'],
): readonly Check[] {
  return Object.entries(peers).map(([name, transport]) => {
    const peer = name as Peer;
    const health = createClient(Health, transport);
    return {
      need: peer,
      without: without(peer),
      async passes() {
        const { status } = await health.check({}, { timeoutMs: ANSWER_LIMIT_MS });
        return status === ServingStatus.SERVING;
      },
    };
  });
}
