import { path, sendHttp } from '@steward/testing';
import { registerAccount } from '@steward/topology/testing';
import type { Attack } from '../attack.ts';

/** An administrator who lost the right must not keep it through a token that he made for another administrator. */
export const takeover: Attack = {
  name: 'takeover',
  title: 'an administrator who lost the right uses a token that acts as another administrator',
  starves: false,
  async prepare({ url, admin, label }) {
    const rogue = await registerAccount(url, `rogue-${label}`, true);
    const victim = await registerAccount(url, `victim-${label}`, true);
    const login = path`/_service/admin/v1/users/${victim.userId}/login`;
    const { body } = await sendHttp<{ access_token: string }>(url, 'POST', login, {
      token: rogue.token,
      body: {},
    });
    return async () => {
      const right = path`/_service/admin/v1/users/${rogue.userId}/admin`;
      const use = async () =>
        (await sendHttp(url, 'GET', '/_service/admin/v2/users?limit=1', { token: body.access_token })).status;
      const before = await use();
      await sendHttp(url, 'PUT', right, { token: admin, body: { admin: false } });
      const demoted = await use();
      await sendHttp(url, 'PUT', right, { token: admin, body: { admin: true } });
      const promoted = await use();
      return {
        broken: [
          ...(demoted === 401 ? [] : [`the token was answered with ${demoted} after the loss of the right`]),
          ...(promoted === 401
            ? []
            : [`the token was answered with ${promoted} after the right was given back`]),
        ],
        figures: [`before ${before}, after the loss ${demoted}, after its return ${promoted}`],
      };
    };
  },
};
