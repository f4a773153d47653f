import { sendHttp } from '@steward/testing';
import type { Attack } from '../attack.ts';

/** A proxy on the same machine forwards requests of anyone, so the public port must not serve metrics. */
export const publicMetrics: Attack = {
  name: 'public-metrics',
  title: 'metrics through a proxy on the same machine',
  starves: false,
  async prepare({ url }) {
    return async () => {
      const direct = await sendHttp(url, 'GET', '/metrics');
      const proxied = await sendHttp(url, 'GET', '/metrics', { headers: { 'x-forwarded-for': '192.0.2.1' } });
      const served = [direct, proxied].filter(({ status }) => status === 200).length;
      return {
        broken: served > 0 ? [`${served} of 2 requests were answered`] : [],
        figures: [`direct ${direct.status}, proxied ${proxied.status}`],
      };
    };
  },
};
