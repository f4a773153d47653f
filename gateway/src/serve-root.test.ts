import fastify from 'fastify';
import { expect, it } from 'vitest';
import { serveDocumentation } from './documentation/serve-documentation.ts';
import { serveRoot } from './serve-root.ts';

it('leads to the documentation', async () => {
  const app = fastify();
  serveDocumentation(app);
  serveRoot(app);
  const answer = await app.inject('/');
  expect(answer).toMatchObject({ statusCode: 302, headers: { location: '/_service/docs' } });
  expect(await app.inject(String(answer.headers.location))).toMatchObject({ statusCode: 200 });
});

it('names the paths of the interfaces when there is no documentation', async () => {
  const app = fastify();
  serveRoot(app);
  const answer = await app.inject('/');
  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toMatchObject({ name: 'steward', admin_api: '/_service/admin' });
});
