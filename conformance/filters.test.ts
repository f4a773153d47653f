import { path } from '@steward/testing';
import { expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { refusal } from './refusal.ts';

const filtersOf = (userId: string) => path`/_proto/client/v3/user/${userId}/filter`;
const filterOf = (userId: string, id: string) => path`/_proto/client/v3/user/${userId}/filter/${id}`;

chapter('7.7 Filters', (world) => {
  it('filters are stored and returned by id', async () => {
    const user = await world.user();
    const filter = {
      event_fields: ['type', 'content'],
      event_format: 'client',
      presence: { types: [], not_senders: ['@a:test'] },
      account_data: { limit: 0, not_types: ['*'] },
      room: {
        rooms: ['!a:test'],
        not_rooms: [],
        include_leave: true,
        timeline: { limit: 10, contains_url: false, lazy_load_members: true, 'org.example': [1] },
        state: { senders: ['@a:test'], unread_thread_notifications: true },
        ephemeral: {},
      },
      'org.example.unknown': { a: null },
    };
    const created = await user.post<{ filter_id: string }>(filtersOf(user.userId), { body: filter });
    expect(created).toMatchObject({ status: 200, body: { filter_id: expect.stringMatching(/^\d+$/) } });
    const { filter_id: id } = created.body;
    expect((await user.get(filterOf(user.userId, id))).text).toBe(JSON.stringify(filter));
    expect((await user.get(filterOf(user.userId, id).replace('v3', 'r0'))).body).toEqual(filter);
    const again = await user.post(filtersOf(user.userId), { body: filter });
    expect(again.body).toEqual({ filter_id: id });
    const other = await user.post(filtersOf(user.userId), { body: {} });
    expect(other.body.filter_id).not.toBe(id);
  });

  it.each(['unknown', '0', '', '{}'])('a filter with the id %j is not found', async (id) => {
    const user = await world.user();
    expect(await user.get(filterOf(user.userId, id))).toMatchObject(refusal(404, 'M_NOT_FOUND'));
  });

  it('belong to the caller', async () => {
    const user = await world.user();
    const { filter_id: id } = (await user.post<{ filter_id: string }>(filtersOf(user.userId), { body: {} }))
      .body;
    const forbidden = refusal(403, 'M_FORBIDDEN');
    expect(await world.admin.get(filterOf(user.userId, id))).toMatchObject(forbidden);
    expect(await world.admin.post(filtersOf(user.userId), { rawBody: 'x' })).toMatchObject(forbidden);
    expect(await world.admin.get(filterOf(world.admin.userId, id))).toMatchObject(
      refusal(404, 'M_NOT_FOUND'),
    );
  });

  it.each([
    ['no body', '', 400, 'M_NOT_JSON'],
    ['no object', '[]', 400, 'M_BAD_JSON'],
    ['fields that are not a list', '{"event_fields":"type"}', 400, 'M_BAD_JSON'],
    ['an unknown format', '{"event_format":"x"}', 400, 'M_BAD_JSON'],
    ['a limit that is not an integer', '{"presence":{"limit":1.5}}', 400, 'M_BAD_JSON'],
    ['a limit below zero', '{"room":{"timeline":{"limit":-1}}}', 400, 'M_BAD_JSON'],
    ['a sender that is not a user', '{"room":{"timeline":{"senders":["a"]}}}', 400, 'M_BAD_JSON'],
    ['types that are not texts', '{"account_data":{"types":[1]}}', 400, 'M_BAD_JSON'],
    ['a malformed room id', '{"room":{"rooms":["a"]}}', 400, 'M_BAD_JSON'],
    ['a malformed flag', '{"room":{"include_leave":"true"}}', 400, 'M_BAD_JSON'],
    ['null', '{"room":null}', 400, 'M_BAD_JSON'],
    ['an excessive size', JSON.stringify({ x: 'x'.repeat(70_000) }), 413, 'M_TOO_LARGE'],
  ])('filters are refused with %s', async (_, rawBody, status, errcode) => {
    const user = await world.user();
    expect(await user.post(filtersOf(user.userId), { rawBody })).toMatchObject(refusal(status, errcode));
  });
});
