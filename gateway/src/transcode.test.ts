import fastify from 'fastify';
import { expect, it } from 'vitest';
import { sendJson } from './transcode.ts';

it('sends long JSON as bytes, and all JSON with the same headers', async () => {
  const app = fastify();
  const payloads: unknown[] = [];
  app.addHook('onSend', (_, __, payload, done) => {
    payloads.push(payload);
    done();
  });
  const json = (length: number) => JSON.stringify('é'.repeat(length));
  app.get('/:length', (request, reply) =>
    sendJson(reply, 200, json(Number((request.params as { length: string }).length))),
  );
  for (const length of [10, 100_000]) {
    const { headers, body } = await app.inject(`/${length}`);
    expect(body).toBe(json(length));
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(json(length))),
    });
  }
  expect(payloads.map((payload) => Buffer.isBuffer(payload))).toEqual([false, true]);
  await app.close();
});
