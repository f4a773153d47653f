import { setImmediate } from 'node:timers/promises';
import { createFakeClock } from '@steward/testing';
import { describe, expect, it } from 'vitest';
import { supervise } from './supervise.ts';

const URL = 'http://127.0.0.1:9001';
const ended = (how: string, seconds: number) =>
  `The user service at ${URL} ended (${how}). It starts again in ${seconds} s.`;
const READY = `The user service at ${URL} is ready again.`;

/** A supervised process that does what a test says. */
function scene() {
  const clock = createFakeClock();
  const lines: string[] = [];
  const starts: PromiseWithResolvers<void>[] = [];
  const pauses: PromiseWithResolvers<void>[] = [];
  let end = Promise.withResolvers<string>();
  const child = {
    url: URL,
    ended: () => end.promise,
    start: () => {
      end = Promise.withResolvers();
      starts.push(Promise.withResolvers());
      return starts.at(-1)?.promise ?? Promise.reject();
    },
  };
  const pause = (_: number, signal: AbortSignal) => {
    const waiting = Promise.withResolvers<void>();
    pauses.push(waiting);
    signal.addEventListener('abort', () => waiting.resolve());
    return waiting.promise;
  };
  const report = (line: string) => lines.push(line);
  const supervisor = supervise(child, { name: 'user service', clock, report, pause });
  return {
    clock,
    lines,
    starts,
    supervisor,
    async end(how: string) {
      end.resolve(how);
      await setImmediate();
    },
    async afterPause() {
      pauses.at(-1)?.resolve();
      await setImmediate();
    },
    async ready() {
      starts.at(-1)?.resolve();
      await setImmediate();
    },
    /** It ends before it is ready. */
    async failToStart(how: string) {
      starts.at(-1)?.reject(new Error('it ended'));
      end.resolve(how);
      await setImmediate();
    },
  };
}

describe('a supervised process', () => {
  it('a supervised process is named when it ends, and starts again after a pause', async () => {
    const { lines, starts, end, afterPause, ready } = scene();
    await end('SIGKILL');
    expect(lines).toEqual([ended('SIGKILL', 1)]);
    expect(starts).toHaveLength(0);
    await afterPause();
    expect(starts).toHaveLength(1);
    await ready();
    expect(lines).toEqual([ended('SIGKILL', 1), READY]);
  });

  it('a supervised process that cannot start is named each time and retried without end, at most every 30 seconds', async () => {
    const { clock, lines, starts, end, afterPause, failToStart } = scene();
    await end('SIGSEGV');
    for (let n = 0; n < 7; n++) {
      await afterPause();
      // However long it takes to fail.
      clock.advance(180_000);
      await failToStart('exit code 1');
    }
    const pauses = [2, 4, 8, 16, 30, 30, 30];
    expect(lines).toEqual([ended('SIGSEGV', 1), ...pauses.map((seconds) => ended('exit code 1', seconds))]);
    expect(starts).toHaveLength(7);
  });

  it('a supervised process is retried quickly again once it has been ready for a minute', async () => {
    const { clock, lines, end, afterPause, ready } = scene();
    const round = async (runMs: number) => {
      clock.advance(runMs);
      await end('SIGKILL');
      await afterPause();
      await ready();
    };
    for (const runMs of [0, 59_999, 60_000]) await round(runMs);
    expect(lines.filter((line) => line !== READY)).toEqual([1, 2, 1].map((s) => ended('SIGKILL', s)));
  });

  it('a supervised process is not started again after the supervision has ended', async () => {
    const before = scene();
    before.supervisor.stop();
    await before.end('exit code 0');
    expect(before.lines).toEqual([]);

    const during = scene();
    await during.end('SIGKILL');
    during.supervisor.stop();
    await setImmediate();
    expect([...before.starts, ...during.starts]).toEqual([]);
  });
});
