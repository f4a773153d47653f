import { loadConfig } from '@steward/config';
import { toRefusal } from '@steward/errors';
import { expect, it } from 'vitest';
import { createQuotas, type QuotaHolder } from './quotas.ts';

const config = (quotas: Readonly<Record<string, number>> = {}) =>
  loadConfig({ env: { STEWARD_CONFIG_OVERRIDES: JSON.stringify({ quotas }) } });

const USER: QuotaHolder = { admin: false };
const ADMIN: QuotaHolder = { admin: true };

it('quotas are those of the server, or of the account', () => {
  const quotas = createQuotas(config({ filters: 7, pushers: -1 }));
  expect(quotas.of(USER, 'filters')).toBe(7);
  expect(quotas.of(USER, 'pushers')).toBe(Number.POSITIVE_INFINITY);
  expect(quotas.of({ ...USER, quotas: { filters: 0, pushers: 3 } }, 'filters')).toBe(0);
  expect(quotas.of({ ...USER, quotas: { filters: -1 } }, 'filters')).toBe(Number.POSITIVE_INFINITY);
  expect(quotas.of({ ...USER, quotas: { filters: -1 } }, 'devices')).toBe(500);
});

it('of the server do not apply to administrators', () => {
  const quotas = createQuotas(config({ filters: 7 }));
  expect(quotas.of(ADMIN, 'filters')).toBe(Number.POSITIVE_INFINITY);
  expect(quotas.of({ ...ADMIN, quotas: { filters: 3 } }, 'filters')).toBe(3);
});

it('refuse what is more, and name the kind', () => {
  const quotas = createQuotas(config({ filters: 7 }));
  quotas.require(USER, 'filters', 7);
  const refused = () => quotas.require(USER, 'filters', 8);
  expect(refused).toThrow();
  try {
    refused();
  } catch (error) {
    expect(toRefusal(error)).toMatchObject({
      status: 403,
      errcode: 'M_RESOURCE_LIMIT_EXCEEDED',
      extra: { limit_type: 'filters' },
    });
  }
});
