import { describe, expect, it } from 'vitest';
import { ownChapter } from '../chapter.ts';
import { refusal } from '../refusal.ts';

const ADMIN = '/_service/admin/v1';
const DESTINATIONS = `${ADMIN}/federation/destinations`;
const UPDATES = `${ADMIN}/background_updates`;
const TASKS = `${ADMIN}/scheduled_tasks`;

const invalid = refusal(400, 'M_INVALID_PARAM');
const unknown = refusal(400, 'M_UNKNOWN');
const notFound = refusal(404, 'M_NOT_FOUND');

ownChapter('13.3, 13.4 Federation, updates and tasks', (world) => {
  const get = (at: string) => world.admin.get(at);
  const post = (at: string, body: unknown) => world.admin.post(`${UPDATES}/${at}`, { body });

  describe('destinations', () => {
    it('do not exist', async () => {
      const query = 'from=0&limit=5&destination=x&order_by=failure_ts&dir=b';
      for (const at of [DESTINATIONS, `${DESTINATIONS}?${query}`]) {
        const { status, body } = await get(at);
        expect({ status, body }).toEqual({ status: 200, body: { destinations: [], total: 0 } });
      }
    });

    it.each(['from=-1', 'limit=x', 'order_by=x', 'dir=x'])(
      'cannot be listed with the query %s',
      async (query) => {
        expect(await get(`${DESTINATIONS}?${query}`)).toMatchObject(invalid);
      },
    );

    it('federation destinations are not found one by one', async () => {
      const one = `${DESTINATIONS}/elsewhere`;
      expect(await get(one)).toMatchObject(notFound);
      expect(await get(`${one}/rooms?limit=x`)).toMatchObject(notFound);
      expect(await world.admin.post(`${one}/reset_connection`)).toMatchObject(notFound);
    });
  });

  describe('background updates', () => {
    it('can be enabled and disabled, and none is running', async () => {
      const enabled = async () => {
        const { body } = await get(`${UPDATES}/status`);
        expect(body).toEqual({ enabled: expect.any(Boolean), current_updates: {} });
        expect((await get(`${UPDATES}/enabled`)).body).toEqual({ enabled: body.enabled });
        return body.enabled;
      };
      expect(await enabled()).toBe(true);
      for (const [body, is] of [
        [{ enabled: false }, false],
        [{}, true],
      ]) {
        expect(await post('enabled', body)).toMatchObject({ status: 200, body: { enabled: is } });
        expect(await enabled()).toBe(is);
      }
      expect(await post('enabled', { enabled: 'no' })).toMatchObject(unknown);
      expect(await enabled()).toBe(true);
    });

    it('can be requested by name', async () => {
      for (const name of ['populate_stats_process_rooms', 'regenerate_directory']) {
        expect(await post('start_job', { job_name: name })).toMatchObject({ status: 200, body: {} });
      }
      expect(await post('start_job', {})).toMatchObject(refusal(400, 'M_MISSING_PARAM'));
      expect(await post('start_job', { job_name: 'x' })).toMatchObject(unknown);
      expect(await post('start_job', { job_name: 5 })).toMatchObject(unknown);
    });
  });

  describe('scheduled tasks', () => {
    it('scheduled tasks are exactly the requested ones', async () => {
      const query = 'action_name=x&resource_id=y&status=active&job_status=failed&max_timestamp=5';
      for (const at of [TASKS, `${TASKS}?${query}`]) {
        expect(await get(at)).toMatchObject({ status: 200, body: { scheduled_tasks: [] } });
      }
    });

    it.each(['status=x', 'job_status=x', 'max_timestamp=x'])(
      'cannot be listed with the query %s',
      async (query) => {
        expect(await get(`${TASKS}?${query}`)).toMatchObject(invalid);
      },
    );
  });
});
