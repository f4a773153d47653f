import { fromBinary, toBinary } from '@bufbuild/protobuf';
import type { Clock } from '@steward/kernel';
import {
  type ProcessStatus,
  ProcessStatusSchema,
} from '@steward/proto/steward/moderation/v1/server_status_pb.ts';
import { type Doc, declareCollection, NOT_FLUSHED, type Store } from '@steward/store';
import type { ReportTarget } from './announce-process.ts';

/** After how long a process that no longer reports is forgotten, in milliseconds. */
const KEPT_MS = 5 * 60_000;

/** The most processes that are listed. */
const MAX_LISTED = 1_000;

/** The newest report of a process. */
interface StoredProcess extends Doc {
  /** The id of its run. */
  readonly _id: string;
  readonly seen_ts: number;
  /** The encoded report, in base64, so that releases may add fields. */
  readonly report: string;
}

const processes = declareCollection<StoredProcess>({
  name: 'server.processes',
  shardKey: '_id',
  indexes: [],
});

/** The reports of the processes of a server. */
export interface Processes extends ReportTarget {
  /** The newest report of each process that has reported within five minutes. */
  list(): Promise<readonly ProcessStatus[]>;
}

/** Opens the reports that the processes of a server share. Reports that are too old are removed with the next one. */
export async function openProcesses(store: Store, clock: Clock): Promise<Processes> {
  const stored = await store.collection(processes);
  return {
    async record(report) {
      const now = clock.now();
      const encoded = Buffer.from(toBinary(ProcessStatusSchema, report)).toString('base64');
      const change = { $set: { seen_ts: now, report: encoded } };
      await stored.updateOne({ _id: report.id }, change, { upsert: true, ...NOT_FLUSHED });
      await stored.deleteMany({ seen_ts: { $lt: now - KEPT_MS } }, NOT_FLUSHED);
    },
    async remove({ id }) {
      await stored.deleteOne({ _id: id }, NOT_FLUSHED);
    },
    async list() {
      const all = await stored
        .find({ seen_ts: { $gte: clock.now() - KEPT_MS } }, { limit: MAX_LISTED })
        .toArray();
      return all.map(({ seen_ts, report }) => ({
        ...fromBinary(ProcessStatusSchema, Buffer.from(report, 'base64')),
        // By the clock of the process that stored it.
        seenTs: BigInt(seen_ts),
      }));
    },
  };
}

/** No processes, for a service without a server around it, in commands and tests. */
export const noProcesses: Processes = {
  list: async () => [],
  record: async () => {},
  remove: async () => {},
};

/** The only process of a server, which describes itself when it is asked. */
export function onlyProcess(describe: () => Promise<ProcessStatus>): Processes {
  return { ...noProcesses, list: async () => [await describe()] };
}
