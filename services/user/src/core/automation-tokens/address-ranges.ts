import { BlockList, isIP } from 'node:net';
import { refuse } from '@steward/errors';

/** The most addresses and ranges of a list. */
const MAX_RANGES = 50;

const RANGE = /^(?<address>[0-9a-f.:]+)(?:\/(?<prefix>[0-9]{1,3}))?$/i;
const BITS: Readonly<Record<number, number>> = { 4: 32, 6: 128 };

/** An address, or a range of addresses. */
interface Range {
  readonly address: string;
  readonly family: 'ipv4' | 'ipv6';
  /** The number of bits that all addresses of the range have in common. */
  readonly prefix: number;
}

/**
 * Checks a list of IP addresses and of ranges in CIDR notation.
 *
 * @returns the list, each entry once
 * @throws refuse.invalidParam
 */
export function readRanges(entries: readonly string[]): readonly string[] {
  const ranges = [...new Set(entries)];
  if (ranges.length > MAX_RANGES)
    throw refuse.invalidParam(`'allowed_addresses' must have at most ${MAX_RANGES} entries`);
  if (!ranges.every((entry) => parse(entry)))
    throw refuse.invalidParam(
      "'allowed_addresses' must have IP addresses, and ranges in CIDR notation, only",
    );
  return ranges;
}

/** Whether one of the ranges contains an address. An IPv4 address and its IPv6-mapped form are the same. */
export function containsAddress(entries: readonly string[], client: string): boolean {
  const address = client.replace(/%.*$/, '');
  const family = isIP(address);
  if (family === 0) return false;
  return listOf(entries).check(address, family === 4 ? 'ipv4' : 'ipv6');
}

/** The lists of tokens that an engine keeps parsed: making one costs as much as a read of the token. */
const lists = new WeakMap<readonly string[], BlockList>();

function listOf(entries: readonly string[]): BlockList {
  const known = lists.get(entries);
  if (known) return known;
  const list = new BlockList();
  for (const entry of entries) {
    const range = parse(entry);
    if (range) list.addSubnet(range.address, range.prefix, range.family);
  }
  lists.set(entries, list);
  return list;
}

function parse(entry: string): Range | undefined {
  const { address = '', prefix } = RANGE.exec(entry)?.groups ?? {};
  const family = isIP(address);
  const bits = BITS[family];
  if (bits === undefined) return undefined;
  const common = prefix === undefined ? bits : Number(prefix);
  return common > bits ? undefined : { address, family: family === 4 ? 'ipv4' : 'ipv6', prefix: common };
}
