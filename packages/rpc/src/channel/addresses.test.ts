import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Addresses, followAddresses } from './addresses.ts';

let addresses: Addresses | undefined;
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  addresses?.close();
  vi.useRealTimers();
});

/** Follows URLs with names that a table has; returns what was found, newest last, and the look-ups. */
function follow(urls: readonly string[], table: Record<string, readonly string[] | Error>) {
  const found: string[][] = [];
  const lookUp = vi.fn(async (name: string) => {
    const hosts = table[name];
    if (!hosts || hosts instanceof Error) throw hosts ?? new Error('ENOTFOUND');
    return hosts;
  });
  addresses = followAddresses({
    urls,
    lookUp,
    onAddresses: (all) => found.push(all.map(({ url, host, port }) => `${url} ${host} ${port}`)),
  });
  return { found, lookUp, addresses };
}

it('takes IP addresses as they are, once each, and never looks them up', async () => {
  const urls = ['http://10.0.0.1:8008', 'http://[::1]:8008', 'http://10.0.0.1:8008/', 'http://10.0.0.1'];
  const { found, lookUp } = follow(urls, {});
  await vi.advanceTimersByTimeAsync(60_000);
  expect(found).toEqual([
    ['http://10.0.0.1:8008 10.0.0.1 8008', 'http://[::1]:8008 ::1 8008', 'http://10.0.0.1 10.0.0.1 80'],
  ]);
  expect(lookUp).not.toHaveBeenCalled();
});

it('follows a name, and keeps what it found while look-ups fail or find nothing', async () => {
  const table: Record<string, readonly string[] | Error> = {};
  const { found } = follow(['http://user:1'], table);
  const newest = () => found.at(-1);
  expect(newest()).toEqual([]);
  // Looked up again soon, because the service may be starting.
  table.user = ['10.0.0.1', 'fd00::1'];
  await vi.advanceTimersByTimeAsync(500);
  expect(newest()).toEqual(['http://user:1 10.0.0.1 1', 'http://user:1 fd00::1 1']);
  table.user = ['10.0.0.2'];
  await vi.advanceTimersByTimeAsync(5_000);
  expect(newest()).toEqual(['http://user:1 10.0.0.2 1']);
  for (const failure of [new Error('EAI_AGAIN'), []]) {
    table.user = failure;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(newest()).toEqual(['http://user:1 10.0.0.2 1']);
  }
});

it('looks up at once when it is asked to, but not more than twice a second', async () => {
  const { lookUp, addresses } = follow(['http://user:1'], { user: ['10.0.0.1'] });
  await vi.advanceTimersByTimeAsync(1_000);
  addresses.refresh();
  await vi.advanceTimersByTimeAsync(0);
  expect(lookUp).toHaveBeenCalledTimes(2);
  for (let n = 0; n < 100; n++) {
    addresses.refresh();
    await vi.advanceTimersByTimeAsync(10);
  }
  expect(lookUp).toHaveBeenCalledTimes(4);
});

it('starts no look-up while one is in progress, nor after it was closed', async () => {
  const { promise, resolve } = Promise.withResolvers<readonly string[]>();
  const lookUp = vi.fn(() => promise);
  const slow = followAddresses({ urls: ['http://user:1'], lookUp, onAddresses: () => {} });
  slow.refresh();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(lookUp).toHaveBeenCalledTimes(1);
  slow.close();
  resolve(['10.0.0.1']);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(lookUp).toHaveBeenCalledTimes(1);
});
