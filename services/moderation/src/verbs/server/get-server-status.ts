import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  GetServerStatusResponseSchema,
  ProcessStatus,
} from '@steward/proto/steward/moderation/v1/server_status_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { degradedOf } from './degraded-of.ts';

/** After how long without a report a process is lost, in milliseconds: three intervals. */
const LOST_AFTER_MS = 30_000;

/** Returns the state of the server and of its processes. */
export async function getServerStatus(
  deps: Pick<Deps, 'serverName' | 'server' | 'clock'>,
): Promise<MessageInitShape<typeof GetServerStatusResponseSchema>> {
  const { release, schema, store, broker, processes, storeVersion, deadLetters } = deps.server;
  const [reports, version, letters] = await Promise.all([
    processes.list(),
    orUndefined(storeVersion),
    orUndefined(deadLetters),
  ]);
  const now = deps.clock.now();
  const known = reports
    .map((report) => (now - Number(report.seenTs) > LOST_AFTER_MS ? { ...report, state: 'lost' } : report))
    .sort(byKindAndStart);
  return {
    serverName: deps.serverName,
    release,
    schema,
    store,
    broker,
    degraded: degradedOf(known, letters ?? 0),
    processes: known,
    ...(version === undefined ? {} : { storeVersion: version }),
    ...(letters === undefined ? {} : { deadLetters: BigInt(letters) }),
  };
}

/** What an engine answers; `undefined` when it does not. */
async function orUndefined<T>(ask: () => Promise<T>): Promise<T | undefined> {
  return ask().catch(() => undefined);
}

function byKindAndStart(a: ProcessStatus, b: ProcessStatus): number {
  if (a.kind !== b.kind) return a.kind < b.kind ? -1 : 1;
  return Number(a.startedTs - b.startedTs);
}
