import { eachOf, own } from '@steward/kernel';
import { type About, type Allowed, ruleFor } from './allowed.ts';
import { type Difference, differencesOf } from './differences.ts';
import { type Pair, pairUp } from './pair-up.ts';
import { SORTS, type Sort } from './questions.ts';
import type { Server } from './server.ts';

/** How many users, rooms or reports are asked about at the same time. */
const CONCURRENT = 8;

/** A difference that is not meant to be. */
export interface Unexplained extends Difference {
  /** The question, or the list. */
  readonly of: string;
  /** About what. */
  readonly key: string;
}

/** What both servers were asked, and how they differ. */
export interface Verified {
  /** How many things of each sort were compared. */
  readonly compared: Readonly<Record<string, number>>;
  /** The answers that were compared. */
  readonly answers: number;
  readonly allowed: readonly { readonly path: string; readonly reason: string; readonly count: number }[];
  /** How many differences are not meant to be. */
  readonly unexplained: number;
}

/** Who is told what on the way. */
export interface VerifyOptions {
  /** Users who have signed in on one of the servers for the comparison, beside the administrators. */
  readonly seen?: readonly string[];
  readonly onDifference: (difference: Unexplained) => void;
  /** Called when something was compared. */
  readonly onCompared?: (sort: string) => void;
}

/** Asks two servers the same, and compares what they answer. */
export async function verifyHomeserver(
  old: Server,
  now: Server,
  { seen = [], onDifference, onCompared = () => {} }: VerifyOptions,
): Promise<Verified> {
  const askers = new Set([old.userId, now.userId, ...seen]);
  const counts = new Map<Allowed, number>();
  const compared: Record<string, number> = {};
  let unexplained = 0;
  let answers = 0;
  const judge = (of: string, about: About, differences: readonly Difference[]) => {
    answers++;
    for (const difference of differences) {
      const rule = ruleFor(of, difference, about);
      if (rule) {
        counts.set(rule, (counts.get(rule) ?? 0) + 1);
        continue;
      }
      unexplained++;
      onDifference({ of, key: about.key, ...difference });
    }
  };
  const comparePair = async (sort: Sort, pair: Pair<unknown>) => {
    const about = { key: pair.key, askers };
    judge(sort.name, about, differencesOf(pair.old, pair.now));
    for (const { name, ask, named } of pair.old === undefined || pair.now === undefined
      ? []
      : sort.questions) {
      const [before, after] = await Promise.all([ask(old, pair.key), ask(now, pair.key)]);
      // An older release does not have every endpoint.
      if (own(before, 'errcode') === 'M_UNRECOGNIZED') continue;
      judge(name, about, differencesOf(before, after, named));
    }
    compared[sort.name] = (compared[sort.name] ?? 0) + 1;
    onCompared(sort.name);
  };
  for (const sort of SORTS) {
    compared[sort.name] = 0;
    const pairs = pairUp(sort.list(old), sort.list(now), sort.keyOf);
    await eachOf(pairs, CONCURRENT, (pair) => comparePair(sort, pair));
  }
  return {
    ...{ compared, answers, unexplained },
    allowed: [...counts].map(([{ path, reason }, count]) => ({ path, reason, count })),
  };
}
