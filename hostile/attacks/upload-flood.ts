import { path, sendHttp } from '@steward/testing';
import { registerAccount } from '@steward/topology/testing';
import type { Attack } from '../attack.ts';
import { describe, repeat } from '../repeat.ts';

const CONNECTIONS = 8;
const QUOTA_BYTES = 1_000_000;
const UPLOAD_BYTES = 300_000;

/** Concurrent uploads must not exceed the quota together. */
export const uploadFlood: Attack = {
  name: 'upload-flood',
  title: `concurrent uploads of a user whose quota is ${QUOTA_BYTES / 1_000_000} MB`,
  starves: false,
  async prepare({ url, admin, label }) {
    const { userId, token } = await registerAccount(url, `hoarder-${label}`);
    const quotas = path`/_service/admin/v1/users/${userId}/quotas`;
    const set = await sendHttp(url, 'PUT', quotas, { token: admin, body: { media_bytes: QUOTA_BYTES } });
    return async () => {
      const content = Buffer.alloc(UPLOAD_BYTES, 7);
      const statuses = await repeat(CONNECTIONS, 2_000, async () => {
        const answer = await sendHttp(url, 'POST', '/_proto/media/v3/upload', { token, rawBody: content });
        return answer.status;
      });
      const stored = (statuses.get(200) ?? 0) * UPLOAD_BYTES;
      return {
        broken: [
          ...(set.status === 200 ? [] : [`setting the quota was answered with ${set.status}`]),
          ...(stored > QUOTA_BYTES ? [`${stored} bytes were stored`] : []),
        ],
        figures: [describe(statuses)],
      };
    };
  },
};
