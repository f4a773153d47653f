import { sendHttp } from '@steward/testing';
import { registerAccount } from '@steward/topology/testing';
import type { Attack } from '../attack.ts';
import { after } from '../repeat.ts';
import { head, holdSocket, release } from '../sockets.ts';

const SOCKETS = 23;
const ANNOUNCED_BYTES = 13_000_000;

/** Each socket announces a body that is never sent, so announcements alone must not use up a limit. */
export const announcedBodies: Attack = {
  name: 'announced-bodies',
  title: `${SOCKETS} connections that announce ${ANNOUNCED_BYTES / 1_000_000} MB and send nothing`,
  starves: true,
  async prepare({ url, durationMs, label, alone }) {
    const user = await registerAccount(url, `announcer-${label}`);
    const stranger = await registerAccount(url, `writer-${label}`);
    const path = `/_proto/client/v3/user/${encodeURIComponent(user.userId)}/account_data/large`;
    const strangersPath = `/_proto/client/v3/user/${encodeURIComponent(stranger.userId)}/account_data/small`;
    const text = head('PUT', path, { token: user.token, length: ANNOUNCED_BYTES });
    return async () => {
      const held = Array.from({ length: SOCKETS }, () => holdSocket(url, { text }));
      const broken: string[] = [];
      const end = performance.now() + durationMs;
      let writes = 0;
      while (performance.now() < end) {
        const { token } = stranger;
        const { status } = await sendHttp(url, 'PUT', strangersPath, { token, body: { a: 1 } });
        if (status === 200) writes++;
        else if (alone && broken.length === 0) broken.push(`a stranger's write was answered with ${status}`);
        await after(100);
      }
      const closed = held.filter((each) => each.closed()).length;
      release(held);
      return { broken, figures: [`${writes} writes of a stranger`, `${closed} connections closed`] };
    };
  },
};
