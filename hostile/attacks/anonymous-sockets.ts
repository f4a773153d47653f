import { sendHttp } from '@steward/testing';
import type { Attack } from '../attack.ts';
import { after } from '../repeat.ts';
import { head, holdSocket, release } from '../sockets.ts';

const SOCKETS = 1_000;

/** Requests without a token that never become complete must not use up the places of others, nor of `/health`. */
export const anonymousSockets: Attack = {
  name: 'anonymous-sockets',
  title: `${SOCKETS} anonymous connections with unfinished requests`,
  starves: true,
  async prepare({ url, durationMs }) {
    return async () => {
      const texts = [
        'GET /health HTTP/1.1\r\nHost:',
        head('POST', '/_proto/client/v3/login', { length: 60_000 }),
        head('POST', '/_proto/client/v3/register', { length: 60_000 }),
        '',
      ];
      const held = Array.from({ length: SOCKETS }, (_, n) =>
        holdSocket(url, { text: texts[n % texts.length] as string }),
      );
      const broken = new Set<string>();
      const end = performance.now() + durationMs;
      let checks = 0;
      while (performance.now() < end) {
        const { status } = await sendHttp(url, 'GET', '/health');
        checks++;
        if (status !== 200) broken.add(`/health answered ${status}`);
        await after(50);
      }
      const closed = held.filter((each) => each.closed()).length;
      release(held);
      return { broken: [...broken], figures: [`${checks} × /health`, `${closed} connections closed`] };
    };
  },
};
