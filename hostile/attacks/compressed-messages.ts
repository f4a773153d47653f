import { connect } from 'node:http2';
import { gzipSync } from 'node:zlib';
import type { Attack } from '../attack.ts';
import { describe, repeat } from '../repeat.ts';

const CONNECTIONS = 20;

/** What a message of the attack grows to, in bytes. */
const INFLATED_BYTES = 200_000_000;

/** A caller without the internal credential must not cause any decompression. */
export const compressedMessages: Attack = {
  name: 'compressed-messages',
  title: 'compressed messages to the ports of the services, without the credential',
  starves: true,
  onServices: true,
  async prepare({ services, durationMs }) {
    const bomb = gzipSync(Buffer.alloc(INFLATED_BYTES));
    return async () => {
      const open = (url: string) => connect(url).on('error', () => {});
      const sessions = services.map(open);
      const statuses = await repeat(CONNECTIONS, durationMs, (connection) => {
        const n = connection % services.length;
        let session = sessions[n] as (typeof sessions)[number];
        if (session.closed || session.destroyed) {
          session = open(services[n] as string);
          sessions[n] = session;
        }
        return new Promise((resolve, reject) => {
          const stream = session.request({
            ':method': 'POST',
            ':path': '/steward.user.v1.SessionService/Authenticate',
            'content-type': 'application/proto',
            'content-encoding': 'gzip',
            'connect-protocol-version': '1',
          });
          stream.on('error', reject);
          // A connection that the server closes ends its streams without an answer.
          stream.on('close', () => resolve(0));
          stream.on('response', (headers) => {
            stream.resume();
            resolve(Number(headers[':status']));
          });
          stream.end(bomb);
        });
      });
      for (const session of sessions) session.destroy();
      const accepted = statuses.get(200) ?? 0;
      return {
        broken: accepted > 0 ? [`${accepted} calls without the credential were answered`] : [],
        figures: [describe(statuses)],
      };
    };
  },
};
