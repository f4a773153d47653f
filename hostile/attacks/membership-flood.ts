import { path, sendHttp } from '@steward/testing';
import { registerAccount } from '@steward/topology/testing';
import type { Attack } from '../attack.ts';
import { describe, repeat } from '../repeat.ts';

const CONNECTIONS = 8;

/** The burst of the limit on messages, and what may leak away during the attack. */
const MOST_EVENTS = 20;

/** Bans, re-joins and state events are events too, so the limit on messages must include them. */
export const membershipFlood: Attack = {
  name: 'membership-flood',
  title: 'events that are not messages: bans, own joins, state, faster than the limit on messages',
  starves: false,
  async prepare({ url, durationMs, label }) {
    const { token } = await registerAccount(url, `flood-${label}`);
    const created = await sendHttp<{ room_id: string }>(url, 'POST', '/_proto/client/v3/createRoom', {
      token,
      body: {},
    });
    const { room_id: roomId } = created.body;
    return async () => {
      let count = 0;
      const statuses = await repeat(CONNECTIONS, Math.min(durationMs, 5_000), async () => {
        const n = count++;
        const requests = [
          ['POST', path`/_proto/client/v3/rooms/${roomId}/ban`, { user_id: `@target${n}:test` }],
          ['POST', path`/_proto/client/v3/rooms/${roomId}/unban`, { user_id: `@target${n - 1}:test` }],
          ['POST', path`/_proto/client/v3/rooms/${roomId}/join`, { reason: `again ${n}` }],
          ['PUT', path`/_proto/client/v3/rooms/${roomId}/state/org.test/${String(n)}`, { n }],
        ] as const;
        const [verb, target, body] = requests[n % requests.length] as (typeof requests)[number];
        return (await sendHttp(url, verb, target, { token, body })).status;
      });
      const accepted = statuses.get(200) ?? 0;
      return {
        broken: accepted > MOST_EVENTS ? [`${accepted} events were accepted`] : [],
        figures: [describe(statuses)],
      };
    };
  },
};
