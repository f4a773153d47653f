import { registerAccount } from '@steward/topology/testing';
import type { Attack } from '../attack.ts';
import { after } from '../repeat.ts';
import { head, holdSocket, release } from '../sockets.ts';

const SOCKETS = 1_500;
const PAUSE_MS = 20;

/** The longest time that a stranger's request may take while the long polls start, in milliseconds, at 99 of 100. */
const STRANGER_P99_MS = 250;

/** Each long poll waits for as long as the server permits. */
export const longPolls: Attack = {
  name: 'long-polls',
  title: `${SOCKETS} long polls of one user`,
  starves: true,
  async prepare({ url, durationMs, label, alone }) {
    const { token } = await registerAccount(url, `poller-${label}`);
    const stranger = await registerAccount(url, `stranger-${label}`);
    const first = await fetch(`${url}/_proto/client/v3/sync`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const { next_batch: since } = (await first.json()) as { next_batch: string };
    const text = head('GET', `/_proto/client/v3/sync?timeout=60000&since=${since}`, { token });
    return async () => {
      const held = Array.from({ length: SOCKETS }, () => holdSocket(url, { text }));
      const waits: number[] = [];
      const end = performance.now() + durationMs;
      while (performance.now() < end) {
        const start = performance.now();
        await fetch(`${url}/_proto/client/v3/account/whoami`, {
          headers: { authorization: `Bearer ${stranger.token}` },
        }).then((answer) => answer.text());
        waits.push(performance.now() - start);
        await after(PAUSE_MS);
      }
      const open = held.filter((each) => !each.closed() && each.status() === undefined).length;
      release(held);
      const sorted = waits.toSorted((one, other) => one - other);
      const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? 0;
      return {
        broken: alone && p99 > STRANGER_P99_MS ? [`a stranger waits ${p99.toFixed(0)} ms`] : [],
        figures: [
          `${open} waiting at the end`,
          `a stranger waits ${(sorted[sorted.length >> 1] ?? 0).toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, at most ${(sorted.at(-1) ?? 0).toFixed(0)} ms`,
        ],
      };
    };
  },
};
