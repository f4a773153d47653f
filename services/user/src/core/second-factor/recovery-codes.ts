import { hash, timingSafeEqual } from 'node:crypto';
import { type Random, toBase32 } from '@steward/kernel';

/** 80 bits: too many to find a code from its digest, and 16 characters, which can be typed. */
const CODE_BYTES = 10;

const CODES = 10;
const GROUP = /.{4}(?=.)/g;

/** New recovery codes, of which the user sees `codes` once and the server stores `digests`. */
export function newRecoveryCodes(random: Random): {
  readonly codes: readonly string[];
  readonly digests: readonly string[];
} {
  const codes = Array.from({ length: CODES }, () =>
    toBase32(random.bytes(CODE_BYTES)).replaceAll(GROUP, '$&-'),
  );
  return { codes, digests: codes.map(digestOf) };
}

/** The digests that remain once a code was used; undefined when it is none of them. Case, spaces and dashes do not count. */
export function withoutCode(digests: readonly string[], code: string): readonly string[] | undefined {
  const given = Buffer.from(digestOf(code));
  const rest = digests.filter((digest) => !isEqual(Buffer.from(digest), given));
  return rest.length < digests.length ? rest : undefined;
}

function isEqual(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

function digestOf(code: string): string {
  return hash('sha256', code.replaceAll(/[\s-]/g, '').toUpperCase(), 'base64url');
}
