import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '@steward/kernel';
import { choose } from '@steward/topology/testing';
import { count } from './model.ts';
import type { Victim } from './site.ts';

/** Answers between a recovery and the next kill. */
const FEWEST_ANSWERS = 10;
const MOST_ANSWERS = 150;

/** The longest delay after the last of them, in milliseconds: as long as an operation takes. */
const LONGEST_DELAY_MS = 40;

/** The longest absence of a victim besides the time that it takes to start, in milliseconds. */
const LONGEST_ABSENCE_MS = 500;

/** One kill in this many has two victims. */
const KILLS_PER_PAIR = 5;

/** How long the killer waits for answers, in milliseconds. */
const SILENCE_MS = 30_000;

/** Resolves after this many more answers. */
export type AfterAnswers = (answers: number) => Promise<void>;

/** Kills victims, sometimes two at once, and starts them again; returns the number of kills of each. */
export async function killByChance(
  victims: readonly Victim[],
  kills: number,
  random: Random,
  afterAnswers: AfterAnswers,
): Promise<ReadonlyMap<string, number>> {
  const killed = new Map<string, number>();
  for (let done = 0; done < kills; ) {
    const answers = FEWEST_ANSWERS + random.below(MOST_ANSWERS - FEWEST_ANSWERS);
    const [delayMs, absenceMs] = [random.below(LONGEST_DELAY_MS), random.below(LONGEST_ABSENCE_MS)];
    const one = choose(random, victims);
    const another = random.below(KILLS_PER_PAIR) === 0 ? choose(random, victims) : one;
    const chosen = victims.filter((victim) => victim === one || victim === another).slice(0, kills - done);
    const silence = new AbortController();
    await Promise.race([
      afterAnswers(answers),
      sleep(SILENCE_MS, undefined, { signal: silence.signal }).catch(() => {}),
    ]);
    silence.abort();
    await sleep(delayMs);
    for (const victim of chosen) {
      await victim.kill();
      count(killed, victim.name);
      done++;
    }
    await sleep(absenceMs);
    // In the order of the victims: those that others need to start come first.
    for (const victim of chosen) await victim.start();
  }
  return killed;
}
