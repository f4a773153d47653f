import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { describe, expect, it } from 'vitest';
import { parseAddressRules } from './address-rules.ts';
import { checkUrl } from './check-url.ts';
import { isPermitted } from './is-permitted.ts';

const NONE = parseAddressRules([]);
const INSIDE =
  'must not lead to an address that is not on the Internet, unless `webhooks.allowed_addresses` permits it';

/** The special-purpose registries of IANA, and multicast. */
const SPECIAL_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '255.255.255.255/32',
];
const SPECIAL_V6 = [
  '::/128',
  '::1/128',
  '::/96',
  '::ffff:0:0/96',
  '::ffff:0:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '100:0:0:1::/64',
  '2001::/23',
  '2001::/32',
  '2001:2::/48',
  '2001:10::/28',
  '2001:20::/28',
  '2001:db8::/32',
  '2002::/16',
  '2620:4f:8000::/48',
  '3fff::/20',
  '4000::/2',
  '5f00::/16',
  '8000::/1',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
];

/** Any address within a range, as bytes. */
function addressIn(range: string): fc.Arbitrary<number[]> {
  const [first, bits] = ipaddr.parseCIDR(range);
  const bytes = first.toByteArray();
  return fc.tuple(...bytes.map(() => fc.nat(255))).map((random) =>
    bytes.map((byte, i) => {
      const fixed = Math.min(Math.max(bits - i * 8, 0), 8);
      const mask = (0xff << (8 - fixed)) & 0xff;
      return (byte & mask) | ((random[i] ?? 0) & ~mask & 0xff);
    }),
  );
}

/** The last address before a range, and the first behind it. */
function neighboursOf(range: string): string[] {
  const [first, bits] = ipaddr.parseCIDR(range);
  const bytes = first.toByteArray();
  const total = bytes.length * 8;
  const start = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  return [start - 1n, start + (1n << BigInt(total - bits))]
    .filter((value) => value >= 0n && value < 1n << BigInt(total))
    .map((value) => {
      const at = bytes.map((_, i) => Number((value >> BigInt(total - 8 * (i + 1))) & 0xffn));
      return ipaddr.fromByteArray(at).toString();
    });
}

/** The notations of an IPv4 address that parsers of URLs accept. */
function notationsOf([a = 0, b = 0, c = 0, d = 0]: readonly number[]): string[] {
  const number = ((a * 256 + b) * 256 + c) * 256 + d;
  const dotted = `${a}.${b}.${c}.${d}`;
  return [
    dotted,
    `${dotted}.`,
    String(number),
    `0x${number.toString(16)}`,
    `0${number.toString(8)}`,
    `0x${a.toString(16)}.0${b.toString(8)}.${c}.0X${d.toString(16)}`,
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    dotted.replace(/\d/, (digit) => `%3${digit}`),
    dotted.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    dotted.replaceAll('.', '。'),
    ...['::ffff:', '::', '64:ff9b::', '::ffff:0:'].map((prefix) => `[${prefix}${dotted}]`),
    `[2002:${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}::1]`,
  ];
}

describe('addresses', () => {
  it.each(SPECIAL_V4)('refuses %s in every notation', (range) => {
    fc.assert(
      fc.property(addressIn(range), (bytes) => {
        expect(isPermitted(bytes.join('.'), NONE)).toBe(false);
        for (const host of notationsOf(bytes))
          expect(checkUrl(`https://${host}:8443/hook`, NONE), host).toBe(INSIDE);
      }),
      { numRuns: 20 },
    );
  });

  it.each(SPECIAL_V6)('refuses %s in every notation', (range) => {
    fc.assert(
      fc.property(addressIn(range), (bytes) => {
        const address = ipaddr.fromByteArray(bytes);
        for (const host of [
          address.toString(),
          address.toNormalizedString().toUpperCase(),
          `${address.toNormalizedString().replace(/:[^:]*:[^:]*$/, '')}:${bytes.slice(12).join('.')}`,
        ]) {
          expect(isPermitted(host, NONE)).toBe(false);
          expect(checkUrl(`http://[${host}]/`, NONE), host).toBe(INSIDE);
        }
      }),
      { numRuns: 20 },
    );
  });

  it('permits all others', () => {
    const inSome = (address: ipaddr.IPv4 | ipaddr.IPv6, ranges: readonly string[]) =>
      ranges.some((range) => address.match(ipaddr.parseCIDR(range) as never));
    const neighbours = [...SPECIAL_V4, ...SPECIAL_V6].flatMap(neighboursOf);
    const addresses = [...neighbours, '1.1.1.1', '2600::1', '2a00:1450:4001::200e'];
    const outside = addresses.filter((text) => {
      const address = ipaddr.parse(text);
      return !inSome(address, address.kind() === 'ipv4' ? SPECIAL_V4 : [...SPECIAL_V6, '::/3']);
    });
    expect(outside.length).toBeGreaterThan(30);
    for (const text of outside) {
      expect(isPermitted(text, NONE), text).toBe(true);
      expect(checkUrl(`http://${text.includes(':') ? `[${text}]` : text}/`, NONE), text).toBeUndefined();
    }
  });

  it('permits what the rules permit, and no neighbour', () => {
    const rules = parseAddressRules(['10.1.0.0/16', '127.0.0.1', 'fd00:1::/32', '::1']);
    for (const address of ['10.1.255.255', '127.0.0.1', 'fd00:1::9', '::1'])
      expect(isPermitted(address, rules), address).toBe(true);
    for (const address of ['10.2.0.0', '127.0.0.2', 'fd00:2::', '::2', '::ffff:10.1.0.1', 'fe80::1%eth0', ''])
      expect(isPermitted(address, rules), address).toBe(false);
  });

  it('judges the IPv4 address within an address that the rules permit', () => {
    const rules = parseAddressRules(['64:ff9b::/96', '::ffff:0:0/96', '2002::/16', '10.0.0.0/8']);
    for (const address of ['64:ff9b::1.1.1.1', '64:ff9b::10.0.0.1', '::ffff:10.0.0.1', '2002:101:101::'])
      expect(isPermitted(address, rules), address).toBe(true);
    for (const address of ['64:ff9b::127.0.0.1', '::ffff:169.254.169.254', '2002:7f00:1::'])
      expect(isPermitted(address, rules), address).toBe(false);
  });

  it('refuses rules that name nothing', () => {
    for (const entry of [
      '',
      '10.0.0.0/33',
      '10.0.0.0/',
      '10.0.0.0/8/8',
      '::/129',
      '*.example.org',
      'a b',
      'Example.org',
    ])
      expect(() => parseAddressRules([entry]), entry).toThrow(TypeError);
  });
});

describe('URLs', () => {
  it.each([
    ['a text', 'hook', 'must be an http or https URL'],
    ['another scheme', 'gopher://example.org/', 'must be an http or https URL'],
    ['a file', 'file:///etc/passwd', 'must be an http or https URL'],
    ['a user name', 'https://a@example.org/', 'must not contain a user name or password'],
    ['a password', 'https://:b@example.org/', 'must not contain a user name or password'],
    ['a fragment', 'https://example.org/#a', 'must not contain a fragment'],
    ['an empty fragment', 'https://example.org/#', 'must not contain a fragment'],
    ['a line break', 'https://example.org/\n', 'must not contain spaces or control characters'],
    ['a tabulator', 'https://exam\tple.org/', 'must not contain spaces or control characters'],
    ['many characters', `https://example.org/${'a'.repeat(2_029)}`, 'must have at most 2048 characters'],
    [
      'many characters after encoding',
      `https://example.org/${'ü'.repeat(400)}`,
      'must have at most 2048 characters',
    ],
    ['localhost', 'http://localhost:8080/', INSIDE],
    ['a name below localhost', 'http://a.LocalHost./', INSIDE],
    ['backslashes', 'http:\\\\127.0.0.1\\', INSIDE],
    ['no slashes', 'http:127.1', INSIDE],
  ])('refuses %s', (_, url, reason) => {
    expect(checkUrl(url, NONE)).toBe(reason);
  });

  it.each(['http://example.org', 'https://example.org:8443/hook?a=b', 'https://bücher.example/ü'])(
    'accepts %s',
    (url) => {
      expect(checkUrl(url, NONE)).toBeUndefined();
    },
  );

  it('accepts 2,048 characters', () => {
    expect(checkUrl(`https://example.org/${'a'.repeat(2_028)}`, NONE)).toBeUndefined();
  });

  it('accepts a name that the rules contain, in any notation', () => {
    const rules = parseAddressRules(['localhost', 'xn--bcher-kva.localhost']);
    for (const host of ['localhost', 'LOCALHOST.', 'bücher.localhost'])
      expect(checkUrl(`http://${host}/`, rules), host).toBeUndefined();
    expect(checkUrl('http://a.localhost/', rules)).toBe(INSIDE);
  });
});
