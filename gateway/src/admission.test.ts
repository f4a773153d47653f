import fastify from 'fastify';
import { expect, it } from 'vitest';
import { limitAdmission } from './admission.ts';
import { sendError } from './transcode.ts';

/** More than the limit of requests in progress. */
const MANY = 1_001;

it('long polls do not count against the limit of requests in progress', async () => {
  const app = fastify();
  limitAdmission(app);
  app.setErrorHandler((error, _, reply) => sendError(reply, error));
  const end = Promise.withResolvers<void>();
  let started = 0;
  const answer = async () => {
    started++;
    await end.promise;
    return {};
  };
  app.get('/wait', { config: { longPoll: true }, handler: answer });
  app.get('/work', answer);
  app.get('/now', async () => ({}));

  const ask = (url: string) => app.inject({ url });
  const waiting = Array.from({ length: MANY }, () => ask('/wait'));
  await expect.poll(() => started).toBe(MANY);
  expect((await ask('/now')).statusCode).toBe(200);
  const working = Array.from({ length: MANY }, () => ask('/work'));
  await expect.poll(() => started).toBe(2 * MANY - 1);
  expect((await ask('/now')).statusCode).toBe(503);
  end.resolve();
  const statuses = (await Promise.all(working)).map(({ statusCode }) => statusCode);
  expect(statuses.filter((status) => status === 503)).toHaveLength(1);
  for (const { statusCode } of await Promise.all(waiting)) expect(statusCode).toBe(200);
  expect((await ask('/now')).statusCode).toBe(200);
  await app.close();
});
