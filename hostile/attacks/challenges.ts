import { randomInt } from 'node:crypto';
import { sendHttp } from '@steward/testing';
import { registerAccount } from '@steward/topology/testing';
import type { Attack } from '../attack.ts';
import { describe, repeat } from '../repeat.ts';

const CONNECTIONS = 150;
const LOGINS = 4;

/** Interactive authentication asks for a password, whose check is expensive. */
export const challenges: Attack = {
  name: 'challenges',
  title: `interactive authentication with wrong passwords, from ${CONNECTIONS} connections`,
  starves: true,
  async prepare({ url, durationMs, label, alone }) {
    const { userId, token } = await registerAccount(url, `challenger-${label}`);
    const stranger = await registerAccount(url, `member-${label}`);
    const address = randomInt(1, 255);
    const login = async () => {
      const start = performance.now();
      const { status } = await sendHttp(url, 'POST', '/_proto/client/v3/login', {
        // From another address, so that the limit of logins of the attacker's address does not apply.
        headers: { 'x-forwarded-for': `192.0.2.${address}` },
        body: {
          type: 'm.login.password',
          identifier: { type: 'm.id.user', user: stranger.userId },
          password: stranger.password,
          device_id: 'DEVICE',
        },
      });
      return { status, ms: performance.now() - start };
    };
    const idle = await login();
    return async () => {
      const attack = repeat(CONNECTIONS, durationMs, async (connection) => {
        const body = {
          new_password: `another password ${connection}`,
          auth: {
            type: 'm.login.password',
            identifier: { type: 'm.id.user', user: userId },
            password: 'wrong',
          },
        };
        return (await sendHttp(url, 'POST', '/_proto/client/v3/account/password', { token, body })).status;
      });
      const waits: number[] = [];
      const broken: string[] = [];
      for (let n = 0; n < LOGINS; n++) {
        const { status, ms } = await login();
        if (alone && status !== 200) broken.push(`a stranger's login was answered with ${status}`);
        waits.push(ms);
      }
      const statuses = await attack;
      const longest = Math.max(...waits);
      return {
        broken,
        figures: [
          describe(statuses),
          `a stranger's login took ${idle.ms.toFixed(0)} ms before, at most ${longest.toFixed(0)} ms during the attack`,
        ],
      };
    };
  },
};
