import fastify from 'fastify';
import { expect, it } from 'vitest';
import { limitAdmission } from './admission.ts';
import { sendError } from './transcode.ts';

/** More than may be worked on at once. */
const MANY = 1_001;

it('those who wait do not keep others from being served, as those do who are served', async () => {
  const app = fastify();
  limitAdmission(app);
  app.setErrorHandler((error, _, reply) => sendError(reply, error));
  const end = Promise.withResolvers<void>();
  let begun = 0;
  const answer = async () => {
    begun++;
    await end.promise;
    return {};
  };
  app.get('/wait', { config: { waits: true }, handler: answer });
  app.get('/work', answer);
  app.get('/now', async () => ({}));

  const ask = (url: string) => app.inject({ url });
  const waiting = Array.from({ length: MANY }, () => ask('/wait'));
  await expect.poll(() => begun).toBe(MANY);
  expect((await ask('/now')).statusCode).toBe(200);
  const working = Array.from({ length: MANY }, () => ask('/work'));
  await expect.poll(() => begun).toBe(2 * MANY - 1);
  expect((await ask('/now')).statusCode).toBe(503);
  end.resolve();
  const statuses = (await Promise.all(working)).map(({ statusCode }) => statusCode);
  expect(statuses.filter((status) => status === 503)).toHaveLength(1);
  for (const { statusCode } of await Promise.all(waiting)) expect(statusCode).toBe(200);
  expect((await ask('/now')).statusCode).toBe(200);
  await app.close();
});
