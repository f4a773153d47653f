import { sendHttp } from '@steward/testing';
import { registerAccount } from '@steward/topology/testing';
import type { Attack } from '../attack.ts';
import { describe, repeat } from '../repeat.ts';

const CONNECTIONS = 20;

const NUMBER = '0.1,';

/** The sizes of the bodies, in bytes: as an event, as a key backup, as large as the documentation mentions. */
const SIZES = [60_000, 250_000, 1_000_000, 4_000_000, 12_000_000];

/** Bodies of numbers are the slowest to parse without loss. */
export const numberBodies: Attack = {
  name: 'number-bodies',
  title: `bodies of fractions of up to 12 MB, from ${CONNECTIONS} connections`,
  starves: true,
  async prepare({ url, durationMs, label }) {
    const { userId, token } = await registerAccount(url, `numbers-${label}`);
    const bodies = SIZES.map((size) => {
      const numbers = NUMBER.repeat(Math.floor(size / NUMBER.length));
      return `{"a":[${numbers}0.1],"algorithm":"m.test","auth_data":{}}`;
    });
    const paths = [
      ['PUT', `/_proto/client/v3/user/${encodeURIComponent(userId)}/account_data/numbers`],
      ['PUT', '/_proto/client/v3/room_keys/keys?version=1'],
      ['PUT', '/_proto/client/v3/rooms/!none/send/m.room.message/1'],
      ['POST', '/_proto/client/v3/createRoom'],
      ['POST', '/_proto/client/v3/keys/query'],
    ] as const;
    return async () => {
      let count = 0;
      const statuses = await repeat(CONNECTIONS, durationMs, async () => {
        const [verb, path] = paths[count % paths.length] as (typeof paths)[number];
        const rawBody = bodies[Math.floor(count++ / paths.length) % bodies.length] as string;
        return (await sendHttp(url, verb, path, { token, rawBody })).status;
      });
      return {
        broken: statuses.has(500) ? ['a body was answered with 500'] : [],
        figures: [describe(statuses)],
      };
    };
  },
};
