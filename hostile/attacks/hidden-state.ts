import { path, sendHttp } from '@steward/testing';
import { registerAccount } from '@steward/topology/testing';
import type { Attack } from '../attack.ts';

const SECRET_TOPIC = 'the topic that only earlier members may see';

/** The state that an event replaced is as confidential as the event that set it. */
export const hiddenState: Attack = {
  name: 'hidden-state',
  title: 'reading through `prev_content` what was set before the reader joined',
  starves: false,
  async prepare({ url, label }) {
    const owner = await registerAccount(url, `author-${label}`);
    const reader = await registerAccount(url, `reader-${label}`);
    const own = { token: owner.token };
    const created = await sendHttp<{ room_id: string }>(url, 'POST', '/_proto/client/v3/createRoom', {
      ...own,
      body: {
        preset: 'public_chat',
        topic: SECRET_TOPIC,
        initial_state: [{ type: 'm.room.history_visibility', content: { history_visibility: 'joined' } }],
      },
    });
    const { room_id: roomId } = created.body;
    return async () => {
      const token = reader.token;
      await sendHttp(url, 'POST', path`/_proto/client/v3/rooms/${roomId}/join`, { token, body: {} });
      await sendHttp(url, 'PUT', path`/_proto/client/v3/rooms/${roomId}/state/m.room.topic`, {
        ...own,
        body: { topic: 'another topic' },
      });
      const answers = await Promise.all([
        sendHttp(url, 'GET', '/_proto/client/v3/sync', { token }),
        sendHttp(url, 'GET', path`/_proto/client/v3/rooms/${roomId}/messages?dir=b&limit=50`, { token }),
        sendHttp(url, 'GET', path`/_proto/client/v3/rooms/${roomId}/state`, { token }),
      ]);
      const leaks = answers.filter(({ text }) => text.includes(SECRET_TOPIC)).length;
      return {
        broken: leaks > 0 ? [`${leaks} of ${answers.length} answers contain it`] : [],
        figures: [answers.map(({ status }) => status).join(', ')],
      };
    };
  },
};
