import { type Clock, type Random, randomCapitals, repeat } from '@steward/kernel';
import { type Collection, Conflict, NOT_FLUSHED } from '@steward/store';
import type { HourCounts } from './hour-counts.ts';
import { hourId, startOf, startOfHour } from './intervals.ts';

/** How often counts are stored, in milliseconds; a killed process loses those that were not. */
const STORE_INTERVAL_MS = 10_000;

/** The length of the name of a writer: it is never drawn twice. */
const WRITER_LENGTH = 16;

/** The hours from the one that begins at a time up to another time, grouped into intervals of a length. */
export interface CountsRange {
  /** In milliseconds since the Unix epoch. */
  readonly from: number;
  /** In milliseconds since the Unix epoch; hours that begin then are not included. */
  readonly until: number;
  /** An hour, or a multiple of it. */
  readonly intervalMs: number;
}

/** What was counted, by name. What was not counted has no name, or 0. */
export type CountsByName = ReadonlyMap<string, number>;

/** What counts are opened with. */
export interface CountsOptions {
  readonly hourCounts: Pick<Collection<HourCounts>, 'find' | 'updateOne' | 'deleteMany'>;
  readonly clock: Clock;
  readonly random: Random;
  /** How long the counts of an hour are kept, in milliseconds. */
  readonly retentionMs: number;
  /** Receives failures to store counts, which are then stored later. */
  readonly onFault: (error: unknown) => void;
}

/** Counts what happens in a service, hour by hour. The counts of all its instances are added. */
export interface Counts<Name extends string> {
  /** Counts something at the present time, once unless given. */
  add(name: Name, number?: number): void;
  /** What was counted, by the start of the interval; intervals without counts are left out. Includes all that this instance counted. */
  read(range: CountsRange): Promise<ReadonlyMap<number, CountsByName>>;
  /** Removes the counts that are past their retention. */
  removeOld(): Promise<void>;
  /** Stores what was counted since. A failure is reported. */
  store(): Promise<void>;
  /** Stores what was counted since, and stops. */
  close(): Promise<void>;
}

/** What this instance has counted in an hour. */
interface Hour {
  readonly writer: string;
  readonly counts: Map<string, number>;
  isStored: boolean;
}

/**
 * Counts in memory, and stores the counts at a regular interval. As each hour has a writer of its own, what a clock that was set back
 * counts again is added to what the hour had.
 */
export function createCounts<Name extends string>(options: CountsOptions): Counts<Name> {
  const { hourCounts, clock, random, retentionMs, onFault } = options;
  const hours = new Map<string, Hour>();
  let storing: Promise<void> = Promise.resolve();

  const storeHour = async (id: string, hour: Hour) => {
    hour.isStored = true;
    // A count only rises, also if an earlier write that was given up arrives after this one.
    const raised = [...hour.counts].map(
      ([name, count]) => [`writers.${hour.writer}.${name}`, count] as const,
    );
    const update = { $max: Object.fromEntries(raised) };
    const write = () => hourCounts.updateOne({ _id: id }, update, { ...NOT_FLUSHED, upsert: true });
    try {
      await write().catch((error: unknown) => {
        // Two instances began the hour at once: now it exists.
        if (error instanceof Conflict) return write();
        throw error;
      });
    } catch (error) {
      hour.isStored = false;
      throw error;
    }
  };
  const storeAll = async () => {
    const present = hourId(clock.now());
    for (const [id, hour] of hours) {
      if (!hour.isStored) await storeHour(id, hour);
      if (hour.isStored && id !== present) hours.delete(id);
    }
  };
  const store = () => {
    storing = storing.then(storeAll).catch(onFault);
    return storing;
  };
  const storingRegularly = repeat(store, { intervalMs: STORE_INTERVAL_MS, onFault });

  return {
    store,
    add(name, number = 1) {
      if (number === 0) return;
      const id = hourId(clock.now());
      const hour = hours.get(id) ?? {
        writer: randomCapitals(random, WRITER_LENGTH),
        counts: new Map(),
        isStored: true,
      };
      hours.set(id, hour);
      hour.counts.set(name, (hour.counts.get(name) ?? 0) + number);
      hour.isStored = false;
    },
    async read({ from, until, intervalMs }) {
      await store();
      const read = new Map<number, Map<string, number>>();
      const range = { _id: { $gte: hourId(from), $lt: hourId(until) } };
      for await (const { _id, writers } of hourCounts.find(range, { sort: { _id: 1 } })) {
        const start = startOf(startOfHour(_id), intervalMs);
        const sums = read.get(start) ?? new Map<string, number>();
        read.set(start, sums);
        for (const counts of Object.values(writers))
          for (const [name, number] of Object.entries(counts)) sums.set(name, (sums.get(name) ?? 0) + number);
      }
      return read;
    },
    async removeOld() {
      await hourCounts.deleteMany({ _id: { $lt: hourId(clock.now() - retentionMs) } }, NOT_FLUSHED);
    },
    async close() {
      await storingRegularly.close();
      await store();
    },
  };
}
