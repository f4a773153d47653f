import { path, sendHttp } from '@steward/testing';
import { registerAccount } from '@steward/topology/testing';
import type { Attack } from '../attack.ts';

const ATTEMPTS = 30;

/** Invitations by a user who may not invite must not use up the budgets of the room and of the invited user. */
export const outsiderInvitations: Attack = {
  name: 'outsider-invitations',
  title: `${ATTEMPTS} invitations into a room by a user who is not in it`,
  starves: false,
  async prepare({ url, label }) {
    const owner = await registerAccount(url, `owner-${label}`);
    const guest = await registerAccount(url, `guest-${label}`);
    const outsiders = await Promise.all(
      Array.from({ length: 3 }, (_, n) => registerAccount(url, `outsider${n}-${label}`)),
    );
    const created = await sendHttp<{ room_id: string }>(url, 'POST', '/_proto/client/v3/createRoom', {
      token: owner.token,
      body: {},
    });
    return async () => {
      const invite = path`/_proto/client/v3/rooms/${created.body.room_id}/invite`;
      const body = { user_id: guest.userId };
      let accepted = 0;
      for (let n = 0; n < ATTEMPTS; n++) {
        const { token } = outsiders[n % outsiders.length] as (typeof outsiders)[number];
        if ((await sendHttp(url, 'POST', invite, { token, body })).status === 200) accepted++;
      }
      const { status } = await sendHttp(url, 'POST', invite, { token: owner.token, body });
      return {
        broken: [
          ...(accepted > 0 ? [`${accepted} invitations of the outsiders were accepted`] : []),
          ...(status === 200 ? [] : [`the invitation of the owner was answered with ${status}`]),
        ],
        figures: [`the owner's invitation: ${status}`],
      };
    };
  },
};
