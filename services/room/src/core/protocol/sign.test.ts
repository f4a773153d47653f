import { describe, expect, it } from 'vitest';
import type { StoredEvent } from './event.ts';
import { version } from './fixtures/room-state.ts';
import { contentHash } from './hash.ts';
import { signEvent, signingKeyFromSeed, signJson } from './sign.ts';

// The key and the test vectors that are published with the protocol.
const key = signingKeyFromSeed(
  'ed25519:1',
  Buffer.from('YJDBA9Xnr2sVqXD9Vj7XVUnmFZcZrlw8Md7kMW+3XA1', 'base64'),
);

describe('a JSON object', () => {
  it.each([
    [{}, 'K8280/U9SSy9IVtjBuVeLr+HpOB4BQFWbg+UZaADMtTdGYI7Geitb76LTrr5QV/7Xg4ahLwYGYZzuHGZKM5ZAQ'],
    [
      { one: 1, two: 'Two' },
      'KqmLSbO39/Bzb0QIYE82zqLwsA+PDzYIpIRA2sRQ4sL53+sN6/fpNSoqE7BP7vBZhG6kYdD13EIMJpvhJI+6Bw',
    ],
  ])('%j is signed', (value, signature) => {
    expect(signJson(value, key)).toBe(signature);
    expect(signJson({ ...value, signatures: { a: 1 }, unsigned: 1 }, key)).toBe(signature);
  });
});

describe('an event', () => {
  const common = { origin_server_ts: 1_000_000, signatures: {}, unsigned: { age_ts: 1_000_000 } };
  const minimal = {
    ...common,
    room_id: '!x:domain',
    sender: '@a:domain',
    origin: 'domain',
    hashes: {},
    type: 'X',
    content: {},
    prev_events: [],
    auth_events: [],
    depth: 3,
  };
  const message = {
    ...common,
    content: { body: 'Here is the message content' },
    event_id: '$0:domain',
    origin: 'domain',
    type: 'm.room.message',
    room_id: '!r:domain',
    sender: '@u:domain',
  };
  const { origin: _, ...withoutOrigin } = message;

  it.each([
    [
      'without content',
      minimal,
      '5jM4wQpv6lnBo7CLIghJuHdW+s2CMBJPUOGOC89ncos',
      'KxwGjPSDEtvnFgU00fwFz+l6d2pJM6XBIaMEn81SXPTRl16AqLAYqfIReFGZlHi5KLjAWbOoMszkwsQma+lYAg',
    ],
    [
      'with content',
      message,
      'onLKD1bGljeBWQhWZ1kaP9SorVmRQNdN5aM2JYU2n/g',
      'Wm+VzmOUOz08Ds+0NTWb1d4CZrVsJSikkeRxh6aCcUwu6pNC78FunoD7KNWzqFn241eYHYMGCA5McEiVPdhzBA',
    ],
    [
      'without origin',
      withoutOrigin,
      'rDCeYBepPlI891h/RkI2/Lkf9bt7u0TxFku4tMs7WKk',
      'Ay4aj2b5oJ1k8INYZ9n3KnszCflM0emwcmQQ7vxpbdcSv9bkJxIZdWX1IJllcZLq89+D3sSabE+vqPtZs9akDw',
    ],
  ])('%s is hashed, and signed redacted', (_, given, sha256, signature) => {
    const event = given as unknown as StoredEvent;
    expect(contentHash(event)).toBe(sha256);
    expect(signEvent({ ...event, hashes: { sha256 } }, version(1), 'domain', key)).toEqual({
      domain: { 'ed25519:1': signature },
    });
  });
});
