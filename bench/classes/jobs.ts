import { userId } from '../data.ts';
import { eventId, eventsOf, roomId } from '../rooms-data.ts';
import { call, type Server } from '../servers.ts';
import { PURGED_MESSAGES, type Scale } from './scale.ts';
import { jobsOf } from './write-scale.ts';

/** A job that may continue after the answer to its request. */
export interface Job {
  readonly name: string;
  /** The most processor time of the whole job, in milliseconds, on a machine whose floor is 0.04 ms. */
  readonly aimMs: number;
  /** Runs it on the n-th of its objects, and waits for its end. */
  run(server: Server, token: string, scale: Scale, n: number): Promise<void>;
}

/** How often the end of a job is polled, in milliseconds: rarely enough that it costs nothing. */
const POLL_MS = 20;

const ADMIN = '/_service/admin/v1';

/** All jobs, in the order in which they are measured. */
export const JOB_CLASSES: readonly Job[] = [
  {
    name: 'delete and purge a room of 200',
    aimMs: 150,
    async run(server, token, scale, n) {
      const room = roomId(jobsOf(scale, n).deletedRoom);
      await call(server, token, 'DELETE', `${ADMIN}/rooms/${room}`, { purge: true });
    },
  },
  {
    name: 'erase a user in 50 rooms',
    aimMs: 100,
    async run(server, token, scale, n) {
      const user = encodeURIComponent(userId(jobsOf(scale, n).erasedUser));
      await call(server, token, 'POST', `${ADMIN}/deactivate/${user}`, { erase: true });
      await until(async () => {
        const { total } = JSON.parse(await call(server, token, 'GET', `${ADMIN}/users/${user}/joined_rooms`));
        return total === 0;
      });
    },
  },
  {
    name: 'purge 2,000 messages',
    aimMs: 50,
    async run(server, token, scale, n) {
      const room = jobsOf(scale, n).purgedRoom;
      const others = [...eventsOf({ n: room, members: [n, n + 1], messages: 0 })].length;
      const path = `${ADMIN}/purge_history/${roomId(room)}/${eventId(room, others + PURGED_MESSAGES)}`;
      const { purge_id: id } = JSON.parse(
        await call(server, token, 'POST', path, { delete_local_events: true }),
      );
      await until(async () => {
        const answer = await call(server, token, 'GET', `${ADMIN}/purge_history_status/${id}`);
        const { status } = JSON.parse(answer);
        if (status === 'failed') throw new Error('A purge failed');
        return status === 'complete';
      });
    },
  },
  {
    name: 'quarantine 500 media of a user',
    aimMs: 30,
    async run(server, token, scale, n) {
      const user = encodeURIComponent(userId(jobsOf(scale, n).quarantinedUser));
      await call(server, token, 'POST', `${ADMIN}/user/${user}/media/quarantine`, {});
    },
  },
];

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
}
