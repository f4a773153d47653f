import { sendHttp } from '@steward/testing';
import { registerAccount } from '@steward/topology/testing';
import type { Attack } from '../attack.ts';
import { after } from '../repeat.ts';
import { head, holdSocket, release } from '../sockets.ts';

const SOCKETS = 60;

/** The size of each of the entries of which the answer consists, in bytes, and their number. */
const ENTRY_BYTES = 60_000;
const ENTRIES = 250;

/** After how long none of the answers may be held any more, in milliseconds, and how long it takes to read one. */
const HELD_MS = 30_000;
const READING_MS = 3_000;

/** By how many MB the process may grow. */
const MOST_GROWTH_MB = 250;

/** Answers that are not read stay in memory, so their bytes must be bounded. */
export const unreadAnswers: Attack = {
  name: 'unread-answers',
  title: `${SOCKETS} connections that request large answers and never read`,
  starves: true,
  mostGrowthMb: MOST_GROWTH_MB,
  async prepare({ url, durationMs, label, alone }) {
    const { userId, token } = await registerAccount(url, `deaf-${label}`);
    const text = 'x'.repeat(ENTRY_BYTES);
    let stored = 0;
    for (let n = 0; n < ENTRIES; n++) {
      const path = `/_proto/client/v3/user/${encodeURIComponent(userId)}/account_data/large.${n}`;
      const { status } = await sendHttp(url, 'PUT', path, { token, body: { text } });
      if (status === 200) stored++;
    }
    return async () => {
      const request = head('GET', '/_proto/client/v3/sync', { token });
      const held = Array.from({ length: SOCKETS }, () => holdSocket(url, { text: request, reads: false }));
      const broken: string[] = [];
      if (alone) {
        await after(HELD_MS);
        for (const { socket } of held) socket.resume();
        await after(READING_MS);
        // An answer that was cut is not complete.
        const complete = held.filter(({ received }) => received() > stored * ENTRY_BYTES).length;
        if (complete > 0) broken.push(`${complete} answers were held for ${HELD_MS / 1_000} s`);
        release(held);
      }
      const end = performance.now() + durationMs;
      while (performance.now() < end) {
        for (const [n, { socket }] of held.entries()) {
          if (socket.destroyed) held[n] = holdSocket(url, { text: request, reads: false });
        }
        await after(100);
      }
      release(held);
      return { broken, figures: [`${((stored * ENTRY_BYTES) / 1_000_000).toFixed(1)} MB each`] };
    };
  },
};
