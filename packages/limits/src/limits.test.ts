import { loadConfig } from '@steward/config';
import { toRefusal } from '@steward/errors';
import { systemRandom } from '@steward/kernel';
import { createFakeClock } from '@steward/testing';
import { describe, expect, it } from 'vitest';
import { type Limited, openLimits } from './mod.ts';

const RATE_LIMITS = {
  message: { per_second: 1, burst: 2 },
  reports: { per_second: 1, burst: 2 },
  registration: { per_second: 0.5, burst: 1 },
};

async function start(rateLimits: Readonly<Record<string, unknown>> = {}) {
  const overrides = { rate_limits: { ...RATE_LIMITS, ...rateLimits } };
  const config = loadConfig({ env: { STEWARD_CONFIG_OVERRIDES: JSON.stringify(overrides) } });
  const clock = createFakeClock();
  const options = { service: 'room', config, clock, random: systemRandom, bus: {} };
  return { clock, limits: await openLimits(options) };
}

/** How often an action succeeds before it is refused; at most 20 times. */
function often(act: () => void): number {
  for (let done = 0; done < 20; done++) {
    try {
      act();
    } catch {
      return done;
    }
  }
  return 20;
}

const alice: Limited = { userId: '@alice:test' };
const UNLIMITED = { messagesPerSecond: 0, burstCount: 0 };
const GENEROUS = { messagesPerSecond: 5, burstCount: 10 };

it('refuses with the time until the next permitted action', async () => {
  const { limits, clock } = await start();
  limits.registration.take('192.0.2.1');
  const refused = () => {
    try {
      limits.registration.take('192.0.2.1');
    } catch (error) {
      return toRefusal(error);
    }
    return undefined;
  };
  expect(refused()).toMatchObject({
    status: 429,
    errcode: 'M_LIMIT_EXCEEDED',
    extra: { retry_after_ms: 2000 },
  });
  expect(() => limits.registration.take('192.0.2.2')).not.toThrow();
  clock.advance(2000);
  expect(refused()).toBeUndefined();
});

it('counts nothing in a check', async () => {
  const { limits } = await start();
  expect(often(() => limits.registration.check('192.0.2.1'))).toBe(20);
  expect(often(() => limits.message.check(alice))).toBe(20);
  expect(often(() => limits.message.take(alice))).toBe(2);
  expect(often(() => limits.message.check(alice))).toBe(0);
});

it('gives back an action that turned out not to count', async () => {
  const { limits, clock } = await start();
  const act = () => {
    limits.registration.take('192.0.2.1');
    limits.registration.giveBack('192.0.2.1');
  };
  expect(often(act)).toBe(20);
  limits.registration.take('192.0.2.1');
  clock.advance(1_000);
  // Half of the action has leaked away: only the rest is given back.
  limits.registration.giveBack('192.0.2.1');
  limits.registration.giveBack('192.0.2.2');
  expect(often(() => limits.registration.take('192.0.2.1'))).toBe(1);
});

it('counts several actions at once, or none of them', async () => {
  const { limits } = await start();
  expect(() => limits.message.take(alice, 3)).toThrow();
  expect(() => limits.message.take(alice, 2)).not.toThrow();
});

it('does not apply when it is switched off', async () => {
  const { limits } = await start({ enabled: false });
  expect(often(() => limits.registration.take('192.0.2.1'))).toBe(20);
  expect(often(() => limits.message.take(alice))).toBe(20);
});

describe("an account's own limit", () => {
  it.each([
    { message: undefined, owner: undefined, messages: 2, reports: 2 },
    { message: UNLIMITED, owner: UNLIMITED, messages: 20, reports: 20 },
    { message: GENEROUS, owner: GENEROUS, messages: 10, reports: 2 },
    { message: UNLIMITED, owner: undefined, messages: 20, reports: 2 },
    { message: undefined, owner: UNLIMITED, messages: 2, reports: 20 },
  ])('of $message, and $owner of the owner, admits $messages messages and $reports reports', async (row) => {
    const { limits } = await start();
    const user = { ...alice, rateLimit: row.message, ownerRateLimit: row.owner };
    expect(often(() => limits.message.take(user))).toBe(row.messages);
    expect(often(() => limits.reports.take(user))).toBe(row.reports);
  });

  it('keeps earlier counts', async () => {
    const { limits } = await start();
    expect(often(() => limits.message.take(alice))).toBe(2);
    expect(often(() => limits.message.take({ ...alice, rateLimit: GENEROUS }))).toBe(8);
    expect(often(() => limits.message.take(alice))).toBe(0);
  });
});

describe("moderators' redactions", () => {
  it('count as messages', async () => {
    const { limits } = await start();
    expect(often(() => limits.adminRedaction.take(alice))).toBe(2);
    expect(often(() => limits.message.take(alice))).toBe(0);
  });

  it('have a limit of their own where one is configured', async () => {
    const { limits } = await start({ admin_redaction: { per_second: 1, burst: 5 } });
    expect(often(() => limits.adminRedaction.take(alice))).toBe(5);
    expect(often(() => limits.message.take(alice))).toBe(2);
  });
});
