import { register } from '../account.ts';
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
    const user = await register(url, `announcer-${label}`);
    const stranger = await register(url, `writer-${label}`);
    const path = `/_proto/client/v3/user/${encodeURIComponent(user.userId)}/account_data/large`;
    const text = head('PUT', path, { token: user.token, length: ANNOUNCED_BYTES });
    return async () => {
      const held = Array.from({ length: SOCKETS }, () => holdSocket(url, { text }));
      const broken: string[] = [];
      const end = performance.now() + durationMs;
      let writes = 0;
      while (performance.now() < end) {
        const target = `${url}/_proto/client/v3/user/${encodeURIComponent(stranger.userId)}/account_data/small`;
        const answer = await fetch(target, {
          method: 'PUT',
          headers: { authorization: `Bearer ${stranger.token}` },
          body: '{"a":1}',
        });
        if (answer.ok) writes++;
        else if (alone && broken.length === 0)
          broken.push(`a stranger's write was answered with ${answer.status}`);
        await after(100);
      }
      const closed = held.filter((each) => each.closed()).length;
      release(held);
      return { broken, figures: [`${writes} writes of a stranger`, `${closed} connections closed`] };
    };
  },
};
