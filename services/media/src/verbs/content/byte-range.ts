import type { ByteRange } from '../../core/blobs/mod.ts';

const ONE_RANGE = /^bytes=\s*(\d*)-(\d*)\s*$/i;

/**
 * Returns the part of `length` bytes that a `Range` header requests; `undefined` for all bytes: without a header,
 * with an invalid one, or with one of several parts.
 *
 * @returns `unsatisfiable` when no byte of the part exists
 */
export function requestedRange(
  header: string | undefined,
  length: number,
): ByteRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = ONE_RANGE.exec(header ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '') {
    const suffix = Math.min(Number(last), length);
    return suffix === 0 ? 'unsatisfiable' : { start: length - suffix, length: suffix };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return undefined;
  if (start >= length) return 'unsatisfiable';
  const end = last === '' ? length : Math.min(Number(last) + 1, length);
  return { start, length: end - start };
}
