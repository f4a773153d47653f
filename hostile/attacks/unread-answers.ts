import { sendHttp } from '@steward/testing';
import { registerAccount } from '@steward/topology/testing';
import type { Attack } from '../attack.ts';
import { after } from '../repeat.ts';
import { head, holdSocket, release } from '../sockets.ts';

const SOCKETS = 60;

/** The size of each of the entries of which the answer consists, in bytes, and their number. */
const ENTRY_BYTES = 60_000;
const ENTRIES = 80;

/** Answers that are not read stay in memory, so their bytes must be bounded. */
export const unreadAnswers: Attack = {
  name: 'unread-answers',
  title: `${SOCKETS} connections that request large answers and never read`,
  starves: true,
  async prepare({ url, durationMs, label }) {
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
      const end = performance.now() + durationMs;
      while (performance.now() < end) {
        for (const [n, { socket }] of held.entries()) {
          if (socket.destroyed) held[n] = holdSocket(url, { text: request, reads: false });
        }
        await after(100);
      }
      release(held);
      return { broken: [], figures: [`${((stored * ENTRY_BYTES) / 1_000_000).toFixed(1)} MB each`] };
    };
  },
};
