import type { ByteRange } from '../../core/blobs/mod.ts';

const ONE_RANGE = /^bytes=\s*(\d*)-(\d*)\s*$/i;

/**
 * The part of `length` bytes that a `Range` header asks for. `undefined` for the whole: without a header,
 * with one that does not read, or one with several parts.
 *
 * @returns `unsatisfiable` when nothing of it is there
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
