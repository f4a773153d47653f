import { describe, expect, it } from 'vitest';
import { heldEmail } from '../../fixtures/state.ts';
import { refusalOf } from '../../fixtures/test-service.ts';
import { canonicalAddress, canonicalThreepids, holdThreepids, latestClaims } from './threepid.ts';

describe('the canonical address', () => {
  it.each([
    ['email', 'alice@example.org', 'alice@example.org'],
    ['email', ' Alice.B+c@Example.ORG\t', 'alice.b+c@example.org'],
    ['email', 'ÄRZTIN@EXAMPLE.ORG', 'ärztin@example.org'],
    ['email', 'Straße@x.de', 'strasse@x.de'],
    ['email', 'STRASSE@X.DE', 'strasse@x.de'],
    ['email', 'ΟΔΥΣΣΕΥΣ@x.gr', 'οδυσσευσ@x.gr'],
    ['email', 'οδυσσευς@x.gr', 'οδυσσευσ@x.gr'],
    ['email', 'Cafe\u0301@x.fr', 'caf\u00e9@x.fr'],
    ['email', 'O\ufb03ce@x.org', 'office@x.org'],
    // Other people than those with a dotless or undotted letter.
    ['email', 'I\u0131@x.tr', 'i\u0131@x.tr'],
    ['email', '\u0130@x.tr', 'i\u0307@x.tr'],
    // Other domains.
    ['email', 'a@Straße.de', 'a@straße.de'],
    ['msisdn', '4915112345678', '4915112345678'],
    ['msisdn', ' +49 151 ', ' +49 151 '],
  ])('of the %s %j is %j', (medium, address, canonical) => {
    expect(canonicalAddress(medium, address)).toBe(canonical);
    expect(canonicalAddress(medium, canonical)).toBe(canonical);
  });
});

describe('requested addresses', () => {
  it('requested addresses are deduplicated', () => {
    const requested = canonicalThreepids([
      { medium: 'email', address: 'A@x' },
      { medium: 'msisdn', address: '1' },
      { medium: 'email', address: ' a@X ' },
    ]);
    expect([...requested]).toEqual([
      ['email a@x', { medium: 'email', address: 'a@x' }],
      ['msisdn 1', { medium: 'msisdn', address: '1' }],
    ]);
  });

  it.each([
    { medium: 'fax', address: '1' },
    { medium: 'Email', address: 'a@x' },
    { medium: '', address: '' },
    { medium: 'email', address: 'a' },
    { medium: 'email', address: '@x' },
    { medium: 'email', address: 'a@' },
    { medium: 'email', address: 'a@b@c' },
    { medium: 'email', address: '  ' },
    { medium: 'msisdn', address: '' },
  ])('must not include $medium $address', async (threepid) => {
    const refusal = refusalOf((async () => canonicalThreepids([threepid]))());
    expect(await refusal).toBe('M_INVALID_PARAM');
  });
});

describe('the addresses of an account', () => {
  const requested = canonicalThreepids([
    { medium: 'email', address: 'kept@x' },
    { medium: 'email', address: 'moved@x' },
    { medium: 'email', address: 'new@x' },
  ]);
  const kept = heldEmail('kept@x', 7);

  it('keep their times, and get the highest claim when they are new', () => {
    const claims = latestClaims([
      { userId: '@b:test', key: 'email moved@x', claim: 4 },
      { userId: '@a:test', key: 'email kept@x', claim: 7 },
    ]);
    expect(holdThreepids('@a:test', [kept, heldEmail('dropped@x')], requested, claims, 50)).toEqual([
      kept,
      { ...heldEmail('moved@x', 5), added_at: 50, validated_at: 50 },
      { ...heldEmail('new@x', 1), added_at: 50, validated_at: 50 },
    ]);
  });

  it('the addresses of an account are claimed again when another account has claimed them since', () => {
    const claims = latestClaims([{ userId: '@c:test', key: 'email kept@x', claim: 9 }]);
    const again = canonicalThreepids([{ medium: 'email', address: 'kept@x' }]);
    expect(holdThreepids('@a:test', [kept], again, claims, 50)).toEqual([
      { ...kept, claim: 10, added_at: 50, validated_at: 50 },
    ]);
  });

  it('the addresses of an account are all removed when none is requested', () => {
    expect(holdThreepids('@a:test', [kept], new Map(), new Map(), 50)).toEqual([]);
  });
});

it('treats the highest claim as the latest, and always the same one of equal claims', () => {
  const claims = [
    { userId: '@a:test', key: 'email x', claim: 2 },
    { userId: '@c:test', key: 'email x', claim: 3 },
    { userId: '@b:test', key: 'email x', claim: 3 },
    { userId: '@a:test', key: 'email y', claim: 1 },
  ];
  for (const order of [claims, claims.toReversed()]) {
    const latest = latestClaims(order);
    expect(latest.get('email x')?.userId).toBe('@c:test');
    expect(latest.get('email y')?.userId).toBe('@a:test');
  }
});
