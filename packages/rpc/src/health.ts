import { setTimeout as sleep } from 'node:timers/promises';
import { Code, ConnectError } from '@connectrpc/connect';
import {
  Health,
  HealthCheckResponse_ServingStatus as ServingStatus,
} from '@steward/proto/health/v1/health_pb.ts';
import { type Route, route } from './routes.ts';

/** How often the status is looked up for a watcher, in milliseconds. */
const WATCH_INTERVAL_MS = 1_000;

/** How many callers may watch, who need no credential. */
const MAX_WATCHERS = 100;

/**
 * The standard health service, for the names of the given routes and for the process as a whole. When
 * `ending` is raised, watchers receive the status that `isServing` then returns, and their streams end.
 */
export function healthRoute(
  routes: readonly Route[],
  isServing: () => Promise<boolean>,
  ending: AbortSignal,
): Route {
  const names = new Set(['', ...routes.map(({ service }) => service.typeName)]);
  const status = async () => ((await isServing()) ? ServingStatus.SERVING : ServingStatus.NOT_SERVING);
  let watchers = 0;
  return route(Health, {
    async check({ service }) {
      if (!names.has(service)) throw new ConnectError(`${service} is not served here`, Code.NotFound);
      return { status: await status() };
    },
    async list() {
      const now = await status();
      return { statuses: Object.fromEntries([...names].map((name) => [name, { status: now }])) };
    },
    async *watch({ service }, { signal }) {
      if (watchers >= MAX_WATCHERS) throw new ConnectError('Too many callers watch', Code.ResourceExhausted);
      watchers++;
      try {
        const either = AbortSignal.any([signal, ending]);
        let sent: ServingStatus | undefined;
        while (!signal.aborted) {
          const last = ending.aborted;
          const now = names.has(service) ? await status() : ServingStatus.SERVICE_UNKNOWN;
          if (now !== sent) yield { status: now };
          if (last) return;
          sent = now;
          await sleep(WATCH_INTERVAL_MS, undefined, { signal: either }).catch(() => {});
        }
      } finally {
        watchers--;
      }
    },
  });
}
