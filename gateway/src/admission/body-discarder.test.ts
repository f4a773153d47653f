import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { BodyDiscarder } from './body-discarder.ts';

const MIB = 1024 * 1024;

/** A request whose body is what is written to it. */
function create(): PassThrough & { complete: boolean } {
  const body = Object.assign(new PassThrough(), { complete: false });
  body.once('end', () => {
    body.complete = true;
  });
  return body;
}

const discard = (discarder: BodyDiscarder, body: PassThrough) =>
  discarder.discard(body as unknown as IncomingMessage);

it('reads a refused body to its end', async () => {
  const body = create();
  const discarded = discard(new BodyDiscarder(), body);
  body.end('x'.repeat(MIB));
  expect(await discarded).toBe(true);
});

it('stops after some bytes of a body', async () => {
  const body = create();
  const discarded = discard(new BodyDiscarder(), body);
  for (let mib = 0; mib <= 16; mib++) body.write(Buffer.alloc(MIB));
  expect(await discarded).toBe(false);
});

it('reads a limited number of bodies at once', async () => {
  const discarder = new BodyDiscarder();
  const bodies = Array.from({ length: 64 }, create);
  const discarded = bodies.map((body) => discard(discarder, body));
  expect(await discard(discarder, create())).toBe(false);
  for (const body of bodies) body.end();
  expect(await Promise.all(discarded)).toEqual(Array(64).fill(true));
  const next = create();
  const last = discard(discarder, next);
  next.end();
  expect(await last).toBe(true);
});
