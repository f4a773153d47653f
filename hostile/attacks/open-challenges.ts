import { sendHttp } from '@steward/testing';
import { registerAccount } from '@steward/topology/testing';
import type { Attack } from '../attack.ts';
import { describe, repeat } from '../repeat.ts';

const CONNECTIONS = 20;
const BODY_BYTES = 60_000;

/** Each first request opens a session, which the server must not store without bound. */
export const openChallenges: Attack = {
  name: 'open-challenges',
  title: `sessions of interactive authentication with bodies of ${BODY_BYTES / 1000} kB, never finished`,
  starves: true,
  async prepare({ url, durationMs, label }) {
    const { token } = await registerAccount(url, `opener-${label}`);
    const padding = 'x'.repeat(BODY_BYTES);
    return async () => {
      const statuses = await repeat(CONNECTIONS, durationMs, async () => {
        const body = { new_password: 'another password', padding };
        return (await sendHttp(url, 'POST', '/_proto/client/v3/account/password', { token, body })).status;
      });
      return {
        broken: statuses.has(500) ? ['a challenge was answered with 500'] : [],
        figures: [describe(statuses)],
      };
    };
  },
};
