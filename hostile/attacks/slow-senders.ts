import { registerAccount } from '@steward/topology/testing';
import type { Attack } from '../attack.ts';
import { after } from '../repeat.ts';
import { head, holdSocket, release } from '../sockets.ts';

const SOCKETS = 200;
const PAUSE_MS = 500;

/** A byte now and then keeps a connection from being idle, so a rate must be required. */
export const slowSenders: Attack = {
  name: 'slow-senders',
  title: `${SOCKETS} connections that send a byte of their body every ${PAUSE_MS} ms`,
  starves: true,
  async prepare({ url, durationMs, label }) {
    const { userId, token } = await registerAccount(url, `slow-${label}`);
    const path = `/_proto/client/v3/user/${encodeURIComponent(userId)}/account_data/slow`;
    const text = head('PUT', path, { token, length: 60_000 });
    return async () => {
      const held = Array.from({ length: SOCKETS }, () => holdSocket(url, { text }));
      const end = performance.now() + durationMs;
      while (performance.now() < end) {
        for (const { socket } of held) if (socket.writable) socket.write(' ');
        await after(PAUSE_MS);
      }
      const closed = held.filter((each) => each.closed()).length;
      release(held);
      return { broken: [], figures: [`${closed} connections closed`] };
    };
  },
};
