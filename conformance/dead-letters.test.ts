import { path } from '@steward/testing';
import { describe, expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { refusal } from './refusal.ts';

const DEAD_LETTERS = '/_service/admin/v1/dead_letters';
const FEED = '/_service/admin/v1/events';

const notFound = refusal(404, 'M_NOT_FOUND');

interface Letter {
  readonly id: string;
  readonly consumer: string;
  readonly event_id: string;
  readonly [key: string]: unknown;
}

interface Page {
  readonly dead_letters: readonly Letter[];
  readonly next_token?: string;
}

chapter('Dead letters', (world) => {
  const list = async (query = '') => {
    const { status, body } = await world.admin.get<Page>(`${DEAD_LETTERS}?${query}`);
    expect(status).toBe(200);
    return body;
  };
  const lettersOf = async (consumer: string) =>
    (await list()).dead_letters.filter((letter) => letter.consumer === consumer);
  const replay = (id: string) => world.admin.post(`${DEAD_LETTERS}${path`/${id}`}/replay`);
  const drop = (id: string) => world.admin.delete(`${DEAD_LETTERS}${path`/${id}`}`);
  const broken = async (options = {}) => {
    if (!world.seed) throw new Error('Only tests have consumers that fail');
    const name = world.freshName('broken');
    return { name, consumer: await world.seed.brokenConsumer(name, options) };
  };

  it('report the facts that a consumer failed to process, and are removed after it succeeds', async () => {
    const { name, consumer } = await broken();
    const eventId = `!room:test/ü 1`;
    await consumer.publish(eventId, '!room:test');
    await expect.poll(() => lettersOf(name)).toHaveLength(1);
    const [letter] = await lettersOf(name);
    expect(letter).toEqual({
      id: expect.stringMatching(/^[A-Za-z0-9_-]+$/),
      consumer: name,
      event: expect.stringMatching(/^test\./),
      event_id: eventId,
      aggregate_id: '!room:test',
      requested_by: '@admin:test',
      event_ts: 5,
      error: 'Error: It is broken',
      attempts: 1,
      given_up_ts: expect.any(Number),
    });
    consumer.repair();
    expect(await replay(letter?.id ?? '')).toMatchObject({ status: 200, body: {} });
    await expect.poll(() => consumer.handled).toEqual([eventId]);
    await expect.poll(() => lettersOf(name)).toEqual([]);
    expect(await replay(letter?.id ?? '')).toMatchObject(notFound);
    expect(consumer.handled).toEqual([eventId]);
    const feed = { query: { target: letter?.id ?? '' } };
    const events = async () =>
      (await world.admin.get<{ events: readonly { type: string; data: object }[] }>(FEED, feed)).body.events;
    await expect
      .poll(async () => (await events()).map(({ type, data }) => [type, data]))
      .toEqual([
        ['dead_letter.created', { letter_id: letter?.id, consumer: name, fact: letter?.event }],
        ['dead_letter.replayed', { letter_id: letter?.id }],
      ]);
  });

  it('reappear when the consumer fails again, until they are discarded', async () => {
    const { name, consumer } = await broken();
    await consumer.publish('again', '!a:test');
    await expect.poll(() => lettersOf(name)).toHaveLength(1);
    const [first] = await lettersOf(name);
    expect(await replay(first?.id ?? '')).toMatchObject({ status: 200 });
    const later = async () => (await lettersOf(name)).map(({ event_id: eventId }) => eventId);
    await expect.poll(later).toEqual(['again']);
    await expect
      .poll(async () => {
        const [letter] = await lettersOf(name);
        return (await drop(letter?.id ?? '')).status;
      })
      .toBe(200);
    await expect.poll(later).toEqual([]);
    expect(consumer.handled).toEqual([]);
  });

  it('dead letters are kept when they are entries of the audit log, and can be replayed', async () => {
    const { name, consumer } = await broken({ ofAuditLog: true });
    const eventId = `${'0'.repeat(15)}-${name}`;
    await consumer.publish(eventId, eventId);
    await expect.poll(() => lettersOf(name)).toHaveLength(1);
    const [letter] = await lettersOf(name);
    expect(letter).toMatchObject({ event: 'audit.recorded' });
    expect(await drop(letter?.id ?? '')).toMatchObject(refusal(400, 'M_UNKNOWN'));
    expect(await lettersOf(name)).toEqual([letter]);
    consumer.repair();
    expect(await replay(letter?.id ?? '')).toMatchObject({ status: 200 });
    await expect.poll(() => consumer.handled).toEqual([eventId]);
    expect(await lettersOf(name)).toEqual([]);
  });

  it('can be listed page by page', async () => {
    const { name, consumer } = await broken();
    for (let n = 0; n < 3; n++) await consumer.publish(`event${n}`, `!${n}:test`);
    await expect.poll(() => lettersOf(name)).toHaveLength(3);
    const all = (await list()).dead_letters;
    const seen: Letter[] = [];
    for (let page = await list('limit=2'); ; ) {
      seen.push(...page.dead_letters);
      if (page.next_token === undefined) break;
      page = await list(`limit=2&${new URLSearchParams({ from: page.next_token })}`);
    }
    expect(seen).toEqual(all);
    expect(await list('limit=0')).toEqual({ dead_letters: [] });
    for (const { id } of await lettersOf(name)) expect((await drop(id)).status).toBe(200);
    expect(await lettersOf(name)).toEqual([]);
  });

  describe('an unknown dead letter is not found', () => {
    it.each(['x', 'MQ', '%', '\u0000', 'ü'.repeat(300)])('with the id %j', async (id) => {
      expect(await replay(id)).toMatchObject(notFound);
      expect(await drop(id)).toMatchObject(notFound);
    });
  });

  it.each(['limit=-1', 'limit=x'])('the query %s is refused', async (query) => {
    expect(await world.admin.get(`${DEAD_LETTERS}?${query}`)).toMatchObject(refusal(400, 'M_INVALID_PARAM'));
  });
});
