import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { toRefusal } from '@steward/errors';
import { noMeters } from '@steward/telemetry';
import { describe, expect, it } from 'vitest';
import { BodyReceipt } from './body-receipt.ts';
import { CallerUsage, type TrackedRequest } from './caller-usage.ts';
import { Refusals } from './refusals.ts';

const MIB = 1024 * 1024;

function create() {
  const bodies = new BodyReceipt(new Refusals(noMeters));
  const usage = new CallerUsage({ key: 'alice', kind: 'user' });
  /** A request whose body arrives with `receive`, and which records its refusal. */
  const begin = (of = usage, { complete = false } = {}) => {
    const socket = { bytesRead: 0 };
    const raw = Object.assign(new EventEmitter(), { socket, readableLength: 0, complete });
    const request = {
      raw: raw as unknown as IncomingMessage,
      usage: of,
      streamsBody: false,
      bytesBefore: 0,
      receivedBytes: 0,
      secondsReceiving: 0,
      secondsSilent: 0,
      arrivedBytes: 0,
    } as TrackedRequest;
    const result = { status: 0, begun: false };
    bodies.begin(request, (refusal) => {
      if (refusal) result.status = toRefusal(refusal).status;
      result.begun = !refusal;
    });
    bodies.count(request);
    raw.once('error', (error) => {
      result.status = toRefusal(error).status;
      bodies.end(request);
    });
    const receive = (bytes: number) => {
      socket.bytesRead += bytes;
      raw.emit('data', { length: bytes });
    };
    return { request, raw, receive, result };
  };
  const seconds = (count: number, each = () => {}) => {
    for (let n = 0; n < count; n++) {
      each();
      bodies.tick();
    }
  };
  return { bodies, usage, begin, seconds };
}

describe('a body', () => {
  it('ends with 408 when it does not arrive', () => {
    const { bodies, begin, seconds } = create();
    const { receive, result } = begin();
    receive(1);
    seconds(10);
    expect(result.status).toBe(0);
    seconds(1);
    expect(result.status).toBe(408);
    expect(bodies).toMatchObject({ bodies: 0, bytes: 0 });
  });

  it('may arrive at a slow rate, and while the server does not read it', () => {
    const { begin, seconds } = create();
    const slow = begin();
    seconds(100, () => slow.receive(1024));
    expect(slow.result.status).toBe(0);
    const unread = begin();
    unread.raw.readableLength = 1;
    seconds(100, () => slow.receive(1024));
    expect(unread.result.status).toBe(0);
  });

  it('ends with 408 when it stops arriving, however fast it began', () => {
    const { bodies, begin, seconds } = create();
    const { receive, result } = begin();
    receive(4 * MIB);
    seconds(20);
    receive(1);
    seconds(31);
    expect(result.status).toBe(0);
    seconds(1);
    expect(result.status).toBe(408);
    expect(bodies).toMatchObject({ bodies: 0, bytes: 0 });
  });

  it('a body is refused when bodies of its caller fill their part of the memory, which is free at once', () => {
    const { bodies, begin } = create();
    const [first, second] = [begin(), begin()];
    first.receive(31 * MIB);
    second.receive(2 * MIB);
    expect(second.result.status).toBe(429);
    expect(bodies.bytes).toBe(31 * MIB);
    const third = begin();
    third.receive(MIB);
    expect(third.result.status).toBe(0);
  });

  it('a body is refused when all bodies fill the memory and it is the largest of the caller with the most bytes', () => {
    const { bodies, begin } = create();
    const callers = ['a', 'b', 'c', 'd'].map((key) => new CallerUsage({ key, kind: 'user' }));
    const small = callers.map((caller) => begin(caller));
    const large = callers.map((caller) => begin(caller));
    for (const { receive } of small) receive(MIB);
    for (const { receive } of large) receive(31 * MIB);
    const one = begin();
    one.receive(1);
    expect(one.result.status).toBe(0);
    expect([...small, ...large].map(({ result }) => result.status).sort()).toEqual([
      ...Array(7).fill(0),
      503,
    ]);
    expect(large[0]?.result.status).toBe(503);
    expect(bodies.bytes).toBe(97 * MIB + 1);
  });
});

describe('the bodies of a caller that has as many as it may', () => {
  const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

  it('make place for a new one, except those that have just begun', async () => {
    const { bodies, begin, seconds } = create();
    const many = Array.from({ length: 64 }, () => begin());
    for (const { receive } of many) receive(100);
    const early = begin();
    await nextTurn();
    expect(early.result).toEqual({ status: 429, begun: false });
    many[7]?.receive(-50);
    seconds(1);
    const late = begin();
    await nextTurn();
    expect(late.result).toEqual({ status: 0, begun: true });
    expect(many.filter(({ result }) => result.status === 408)).toEqual([many[7]]);
    expect(bodies.bodies).toBe(64);
  });

  it('make one place each, also in one turn', async () => {
    const { bodies, begin, seconds } = create();
    for (let n = 0; n < 64; n++) {
      const { request, raw } = begin();
      // Its connection ends in a later turn.
      Object.assign(request, { streamsBody: true });
      Object.assign(raw, { destroy() {} });
    }
    seconds(1);
    const late = Array.from({ length: 10 }, () => begin());
    await nextTurn();
    expect(late.every(({ result }) => result.begun)).toBe(true);
    expect(bodies.bodies).toBe(64);
  });

  it('do not keep one out that arrives together with its request', async () => {
    const { begin } = create();
    for (let n = 0; n < 64; n++) begin();
    const small = begin(undefined, { complete: true });
    await nextTurn();
    expect(small.result).toEqual({ status: 0, begun: true });
  });
});
