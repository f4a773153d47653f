import { path } from '@steward/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { refusal } from './refusal.ts';

const USERS = '/_service/admin/v2/users';

interface Page {
  users: { name: string }[];
  total: number;
  next_token?: string;
}

chapter('0.6 Query parameters, 0.7 Pagination tokens', (world) => {
  const FILTER = 'name=paged';
  const COUNT = 7;

  beforeAll(async () => {
    for (let i = 0; i < COUNT; i++) await world.account('paged', { displayname: 'Ünïcode %_ + name' });
  });

  const list = (query: string) => world.admin.get<Page>(USERS, { query });

  describe('strings', () => {
    beforeAll(async () => {
      // The name would match this as a database pattern.
      await world.account('pattern', { displayname: 'code xx + name' });
    });

    it('non-ASCII letters are read', async () => {
      expect((await list('name=%C3%BCN%C3%AFCODE')).body.total).toBe(COUNT);
    });

    it('a plus sign is a space, an encoded one is a plus sign', async () => {
      expect((await list('name=code+%25_+%2B+name')).body.total).toBe(COUNT);
      expect((await list('name=code%20%25_%20%2B%20name')).body.total).toBe(COUNT);
      expect((await list('name=code+%25_+++name')).body.total).toBe(0);
    });

    it('pattern characters of databases are literal', async () => {
      expect((await list('name=code+%25_')).body.total).toBe(COUNT);
      expect((await list('name=p%25d')).body.total).toBe(0);
      expect((await list('name=page_')).body.total).toBe(0);
      expect((await list('user_id=p_ged')).body.total).toBe(0);
    });

    it('an empty filter is ignored', async () => {
      const all = (await list('')).body.total;
      expect((await list('name=')).body.total).toBe(all);
      expect((await list('user_id=')).body.total).toBe(all);
      expect((await list('name=&user_id=paged')).body.total).toBe(COUNT);
    });
  });

  describe('names', () => {
    it('the first of several values is used', async () => {
      expect((await list(`${FILTER}&limit=2&limit=5`)).body.users).toHaveLength(2);
      expect(await list('limit=x&limit=5')).toMatchObject(refusal(400, 'M_INVALID_PARAM'));
      expect((await list('name=paged&name=nobody-else')).body.total).toBe(COUNT);
      expect((await list('dir=f&dir=x')).status).toBe(200);
    });

    it('unknown ones are ignored', async () => {
      expect((await list(`${FILTER}&unknown=%ff&Limit=x&LIMIT=0&&=&=x`)).body.users).toHaveLength(COUNT);
    });

    it('encoded names are decoded', async () => {
      expect((await list(`${FILTER}&%6Cimit=2`)).body.users).toHaveLength(2);
    });

    it('device endpoints ignore all of them, since tools send some', async () => {
      const { userId } = await world.user();
      const reply = await world.admin.get(path`/_service/admin/v2/users/${userId}/devices`, {
        query: 'order_by=id&dir=DESC&from=0&limit=-1',
      });
      expect(reply).toMatchObject({ status: 200, body: { total: 1 } });
    });
  });

  describe('pages', () => {
    it('have a string for the next page as long as from + limit < total', async () => {
      expect((await list(`${FILTER}&limit=3`)).body.next_token).toBe('3');
      expect((await list(`${FILTER}&limit=3&from=3`)).body.next_token).toBe('6');
      expect((await list(`${FILTER}&limit=3&from=6`)).body).not.toHaveProperty('next_token');
      expect((await list(`${FILTER}&limit=${COUNT - 1}`)).body.next_token).toBe(String(COUNT - 1));
      expect((await list(`${FILTER}&limit=${COUNT}`)).body).not.toHaveProperty('next_token');
    });

    it('return every row once', async () => {
      const names: string[] = [];
      let next: string | undefined = '0';
      while (next !== undefined) {
        const { body }: { body: Page } = await list(`${FILTER}&limit=2&from=${next}`);
        expect(body.total).toBe(COUNT);
        names.push(...body.users.map(({ name }) => name));
        next = body.next_token;
      }
      expect(names).toEqual((await list(FILTER)).body.users.map(({ name }) => name));
      expect(new Set(names).size).toBe(COUNT);
    });

    it('without rows still return the total and the position', async () => {
      expect((await list(`${FILTER}&limit=0`)).body).toEqual({ users: [], total: COUNT, next_token: '0' });
      expect((await list(`${FILTER}&limit=0&from=5`)).body.next_token).toBe('5');
      expect((await list(`${FILTER}&limit=0&from=${COUNT}`)).body).toEqual({ users: [], total: COUNT });
    });

    it('after the end are empty', async () => {
      expect((await list(`${FILTER}&from=${COUNT}`)).body).toEqual({ users: [], total: COUNT });
      expect((await list(`${FILTER}&from=9223372036854775807`)).body).toEqual({ users: [], total: COUNT });
    });
  });
});
