import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { facetOf, flagsOf, newAccount, withDerived } from './account.ts';

const flags = fc.record({
  deactivated: fc.boolean(),
  locked: fc.boolean(),
  is_guest: fc.boolean(),
  admin: fc.boolean(),
  shadow_banned: fc.boolean(),
  suspended: fc.boolean(),
  user_type: fc.option(
    fc.oneof(
      fc.constantFrom(
        'bot',
        'support',
        '1',
        '00000',
        's',
        'w',
        'ws00000',
        'eb',
        'of another server',
        'été 😀',
      ),
      // The configuration permits no control characters.
      fc.string({ unit: 'grapheme', minLength: 1 }).filter((type) => !/\p{Cc}/u.test(type)),
    ),
  ),
  awaits_approval: fc.boolean(),
  erased: fc.boolean(),
  bridged: fc.boolean(),
  roles: fc.uniqueArray(fc.constantFrom('auditor', 'support', '1', 'on-call:5Xs'), { maxLength: 3 }),
});

describe('a facet', () => {
  it('can be converted back to its flags', () => {
    fc.assert(
      fc.property(flags, (given) => {
        expect(flagsOf(facetOf(given))).toEqual(given);
      }),
    );
  });

  it('differs when a flag differs', () => {
    fc.assert(
      fc.property(flags, flags, (a, b) => {
        expect(facetOf(a) === facetOf(b)).toBe(JSON.stringify(a) === JSON.stringify(b));
      }),
    );
  });

  it('has a stable format, because it is stored', () => {
    const none = {
      deactivated: false,
      locked: false,
      is_guest: false,
      admin: false,
      shadow_banned: false,
      suspended: false,
      awaits_approval: false,
      erased: false,
    };
    expect(facetOf({ ...none, user_type: null })).toBe('00000');
    expect(facetOf({ ...none, deactivated: true, admin: true, user_type: 'bot' })).toBe('10010bot');
    expect(facetOf({ ...none, suspended: true, user_type: null })).toBe('s00000');
    expect(facetOf({ ...none, awaits_approval: true, user_type: null })).toBe('w00000');
    expect(facetOf({ ...none, awaits_approval: true, suspended: true, user_type: 'bot' })).toBe('ws00000bot');
    expect(facetOf({ ...none, erased: true, deactivated: true, user_type: null })).toBe('e10000');
    expect(facetOf({ ...none, suspended: true, bridged: true, user_type: null })).toBe('sb00000');
    const roles = ['auditor', 'on-call:5Xs'];
    expect(facetOf({ ...none, user_type: 'bot', roles: [] })).toBe('00000bot');
    expect(facetOf({ ...none, user_type: null, roles })).toBe('00000\u0001auditor\u0001on-call:5Xs');
    const { awaits_approval: _, ...stored } = none;
    expect(facetOf({ ...stored, user_type: null })).toBe('00000');
  });
});

describe('a new account', () => {
  it('a new account is active, without flags, password, addresses or ended sessions', () => {
    expect(newAccount({ localpart: 'alice', serverName: 'example.org', now: 5 })).toMatchObject({
      _id: '@alice:example.org',
      version: 1,
      facet: '00000',
      displayname: null,
      password_hash: null,
      creation_ts: 5,
      last_seen_ts: null,
      threepids: [],
      external_ids: [],
      sessions: { epoch: 0, except: null },
    });
  });

  it('has folded copies of its names and addresses for searches', () => {
    const account = newAccount({
      localpart: 'Älice',
      serverName: 'Example.org:80',
      now: 0,
      displayname: 'ALICE Ä',
    });
    expect(account).toMatchObject({
      folded_id: '@älice:example.org:80',
      folded_localpart: 'älice',
      folded_displayname: 'alice ä',
    });
    expect(account.folded_threepids).toBeUndefined();
    expect(withDerived({ ...account, displayname: null }).folded_displayname).toBe('');
    const held = ['a@STRAßE.example', '123'].map((address) => ({
      key: `k ${address}`,
      medium: 'k',
      address,
      claim: 1,
      added_at: 0,
      validated_at: 0,
    }));
    const withAddresses = withDerived({ ...account, threepids: held });
    expect(withAddresses.folded_threepids).toBe('a@strasse.example\n123');
    expect(withDerived({ ...withAddresses, threepids: [] }).folded_threepids).toBe('');
  });
});
