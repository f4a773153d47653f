import { describe, expect, it } from 'vitest';
import { refusal } from '../refusal.ts';
import { gatewayChapter } from './gateway-chapter.ts';

const USERS = '/_service/admin/v2/users';

gatewayChapter('0.6 Values of query parameters', (gateway) => {
  const list = (query: string) => gateway.admin.get(USERS, { query });

  describe('integers', () => {
    it.each([
      'limit=1',
      'limit=+1',
      'limit=%2B1',
      'limit=001',
      'limit=%201%20',
      'limit=%091%0A',
      'limit=-0',
      'limit=0',
      'limit=100000000000',
      'limit=9223372036854775807',
      'from=9223372036854775807',
      'from=9223372036854775807&limit=9223372036854775807',
    ])('%s is accepted', async (query) => {
      expect(await list(query)).toMatchObject({ status: 200 });
    });

    it.each([
      '',
      '%20',
      'x',
      '1x',
      '1.0',
      '1.5',
      '1e3',
      '0x10',
      '1_000',
      '1,000',
      '1%202',
      '--1',
      '+',
      '-1',
      '%2D1',
      '-9223372036854775808',
      'NaN',
      'Infinity',
      'null',
      'true',
    ])('%j is refused', async (value) => {
      for (const name of ['from', 'limit']) {
        expect(await list(`${name}=${value}`), name).toMatchObject(refusal(400, 'M_INVALID_PARAM'));
      }
    });

    it('a name without a value is refused', async () => {
      expect(await list('limit')).toMatchObject(refusal(400, 'M_INVALID_PARAM'));
    });
  });

  describe('booleans', () => {
    const names = ['guests', 'deactivated', 'locked', 'admins'];

    it.each(['true', 'false'])('%s is accepted', async (value) => {
      for (const name of names) expect(await list(`${name}=${value}`), name).toMatchObject({ status: 200 });
    });

    it.each(['', 'True', 'TRUE', 'False', '0', '1', 'yes', 'x', ' true', 'true%20', 'null'])(
      '%j is refused',
      async (value) => {
        for (const name of names) {
          expect(await list(`${name}=${encodeURI(value)}`), name).toMatchObject(
            refusal(400, 'M_INVALID_PARAM'),
          );
        }
      },
    );
  });

  describe('enumerations', () => {
    it.each([
      'order_by=',
      'order_by=x',
      'order_by=Name',
      'order_by=name%20',
      'order_by=erased',
      'order_by=id',
      'order_by=__proto__',
      'dir=',
      'dir=x',
      'dir=F',
      'dir=B',
      'dir=fb',
      'dir=forwards',
    ])('%s is refused', async (query) => {
      expect(await list(query)).toMatchObject(refusal(400, 'M_INVALID_PARAM'));
    });
  });

  describe('strings', () => {
    it.each(['name', 'user_id', 'not_user_type'])('%s with invalid UTF-8 is refused', async (name) => {
      for (const bytes of ['%ff', '%C3', '%ED%A0%80', 'a%80']) {
        expect(await list(`${name}=${bytes}`), bytes).toMatchObject(refusal(400, 'M_UNKNOWN'));
      }
      const available = await gateway.admin.get('/_service/admin/v1/username_available?username=%ff');
      expect(available).toMatchObject(refusal(400, 'M_UNKNOWN'));
    });

    it('an absent required value is refused', async () => {
      const reply = await gateway.admin.get('/_service/admin/v1/username_available');
      expect(reply).toMatchObject(refusal(400, 'M_MISSING_PARAM'));
    });
  });

  describe('names', () => {
    it.each(['/_service/admin/v1/server_version', '/_service/admin/v1/register'])(
      '%s ignores unknown names',
      async (target) => {
        const query = 'order_by=id&dir=x&from=x&limit=-1&%ff';
        expect(await gateway.admin.get(target, { query })).toMatchObject({ status: 200 });
      },
    );
  });
});
