import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '@steward/kernel';
import { choose } from '@steward/topology/testing';
import { count } from './model.ts';
import type { Victim } from './site.ts';

/** Answers between a heal and the next kill. */
const FEWEST_ANSWERS = 10;
const MOST_ANSWERS = 150;

/** How long after the last of them, in milliseconds: up to the time that an operation takes. */
const LONGEST_DELAY_MS = 40;

/** How long the killed are away at most, beside the time that they take to start, in milliseconds. */
const LONGEST_ABSENCE_MS = 500;

/** One kill in so many is one of two. */
const KILLS_PER_PAIR = 5;

/** How long answers are waited for that do not come, in milliseconds. */
const SILENCE_MS = 30_000;

/** Resolves when so many more requests have been answered. */
export type AfterAnswers = (answers: number) => Promise<void>;

/** Kills victims, now and then two at once, and starts them again; returns how often which of them was. */
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
    // In the order of the victims: those first without which others do not start.
    for (const victim of chosen) await victim.start();
  }
  return killed;
}
