import { toRefusal } from '@steward/errors';
import { systemRandom, toBase32 } from '@steward/kernel';
import { describe, expect, it } from 'vitest';
import type { SecondFactor } from '../model/second-factor.ts';
import { newRecoveryCodes } from './recovery-codes.ts';
import { totpUri } from './totp.ts';
import { type SecondFactorProof, tryProof as tryWith } from './try-proof.ts';

const STEP_MS = 30_000;
const HOUR_MS = 3_600_000;

/** The secret and the codes of RFC 6238, appendix B, for SHA-1. A code of six digits is the end of one of eight. */
const SECRET = toBase32(Buffer.from('12345678901234567890')).toUpperCase();
const VECTORS = [
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
] as const;
const [, [TIME_S, EIGHT_DIGITS]] = VECTORS;
const CODE = EIGHT_DIGITS.slice(2);
const NOW = TIME_S * 1_000;
const STEP = Math.floor(NOW / STEP_MS);

const { codes, digests } = newRecoveryCodes(systemRandom);

const fresh: SecondFactor = {
  secret: SECRET,
  created_ts: 0,
  confirmed_ts: 0,
  last_step: -1,
  recovery_codes: digests,
  failures: 0,
  failed_ts: 0,
};

const tryProof = (factor: SecondFactor, proof: SecondFactorProof, now: number) =>
  tryWith(factor, factor.secret, proof, now);

const errcodeOf = (refusal: Error | undefined) => refusal && toRefusal(refusal).errcode;

describe('a code of the app', () => {
  it.each(VECTORS)('a code of the app is that of RFC 6238 at %i s', (seconds, code) => {
    const { factor, refusal } = tryProof(fresh, { totp: code.slice(2) }, seconds * 1_000);
    expect(refusal).toBeUndefined();
    expect(factor?.last_step).toBe(Math.floor(seconds / 30));
  });

  it.each([
    ['the first moment of the step before', (STEP - 1) * STEP_MS, true],
    ['the moment before that', (STEP - 1) * STEP_MS - 1, false],
    ['the last moment of the step after', (STEP + 2) * STEP_MS - 1, true],
    ['the moment after that', (STEP + 2) * STEP_MS, false],
  ])('in %s is accepted: %3$s', (_, now, isAccepted) => {
    expect(errcodeOf(tryProof(fresh, { totp: CODE }, now).refusal)).toBe(
      isAccepted ? undefined : 'M_FORBIDDEN',
    );
  });

  it('a code of the app is accepted once, and earlier ones are refused from then on', () => {
    const { factor } = tryProof(fresh, { totp: CODE }, NOW + STEP_MS);
    expect(errcodeOf(tryProof(factor as SecondFactor, { totp: CODE }, NOW).refusal)).toBe('M_FORBIDDEN');
    const later = { ...fresh, last_step: STEP + 1 };
    expect(errcodeOf(tryProof(later, { totp: CODE }, NOW).refusal)).toBe('M_FORBIDDEN');
  });

  it.each(['', '0', `0${CODE}`, `${CODE}0`, '٠٨١٨٠٤', '🙂🙂🙂', 'abcdef', '-81804', '1e5   '])(
    'is not %j',
    (totp) => {
      expect(errcodeOf(tryProof(fresh, { totp }, NOW).refusal)).toBe('M_FORBIDDEN');
    },
  );

  it('may contain spaces', () => {
    expect(tryProof(fresh, { totp: ` ${CODE.slice(0, 3)} ${CODE.slice(3)} ` }, NOW).refusal).toBeUndefined();
  });

  it('a code of the app is checked for ten wrong ones, then once an hour, while recovery codes work', () => {
    let factor = fresh;
    let now = NOW;
    const guess = (totp: string) => {
      const attempt = tryProof(factor, { totp }, now);
      factor = attempt.factor ?? factor;
      return errcodeOf(attempt.refusal);
    };
    const guesses = (count: number) => Array.from({ length: count }, () => guess('000000'));
    expect(new Set(guesses(10))).toEqual(new Set(['M_FORBIDDEN']));
    expect(guess(CODE)).toBe('M_LIMIT_EXCEEDED');
    expect(tryProof(factor, { recoveryCode: codes[0] }, now).refusal).toBeUndefined();
    now += HOUR_MS - 1;
    expect(guess('000000')).toBe('M_LIMIT_EXCEEDED');
    now += 1;
    expect(guesses(2)).toEqual(['M_FORBIDDEN', 'M_LIMIT_EXCEEDED']);
    now += 24 * HOUR_MS;
    expect(guesses(11).filter((errcode) => errcode === 'M_FORBIDDEN')).toHaveLength(10);
    // A clock that is set back forgets no wrong code.
    now -= 2 * HOUR_MS;
    expect(guess('000000')).toBe('M_LIMIT_EXCEEDED');
  });

  it('comes from a secret that apps read from a URI', () => {
    expect(totpUri(SECRET, 'älice', 'example.org')).toBe(
      `otpauth://totp/example.org:%C3%A4lice?issuer=example.org&secret=${SECRET}&algorithm=SHA1&digits=6&period=30`,
    );
  });
});

describe('a recovery code', () => {
  it('a recovery code is one of ten of 80 bits, and is accepted once, however it is typed', () => {
    expect(new Set(codes).size).toBe(10);
    let factor = fresh;
    for (const [index, code] of codes.entries()) {
      expect(code).toMatch(/^(?:[a-z2-7]{4}-){3}[a-z2-7]{4}$/);
      const typed = [code, code.toUpperCase(), code.replaceAll('-', ''), ` ${code.replaceAll('-', ' ')} `];
      const recoveryCode = typed[index % typed.length];
      const attempt = tryProof(factor, { recoveryCode }, NOW);
      expect(attempt.refusal).toBeUndefined();
      factor = attempt.factor as SecondFactor;
      expect(errcodeOf(tryProof(factor, { recoveryCode }, NOW).refusal)).toBe('M_FORBIDDEN');
    }
    expect(factor.recovery_codes).toEqual([]);
    expect(errcodeOf(tryProof(factor, { recoveryCode: '' }, NOW).refusal)).toBe('M_FORBIDDEN');
  });

  it('a recovery code is ignored beside a code of the app', () => {
    expect(errcodeOf(tryProof(fresh, { totp: '0', recoveryCode: codes[0] }, NOW).refusal)).toBe(
      'M_FORBIDDEN',
    );
  });
});
