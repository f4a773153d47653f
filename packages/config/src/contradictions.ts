import type { z } from 'zod';
import { listSettings } from './list-settings.ts';
import type { schema } from './schema.ts';

type Sections = Pick<z.output<typeof schema>, 'store' | 'bus'>;

/** Settings of one section that are set together or not at all. */
const PAIRS = [
  ['store.user', 'store.password_file'],
  ['store.certificate_file', 'store.key_file'],
  ['bus.nats_user', 'bus.nats_password_file'],
  ['bus.nats_certificate_file', 'bus.nats_key_file'],
] as const;

/** What a server can log in to each engine with, at most one of which may be set. */
const CREDENTIALS = [
  { url: 'store.url', settings: ['store.user'] },
  { url: 'bus.nats_url', settings: ['bus.nats_user', 'bus.nats_credentials_file', 'bus.nats_nkey_file'] },
] as const;

/** The user name, password or token in a URL. */
const USER_INFO = /:\/\/[^/]+@/;

/** The problems of settings for the access to the engines that contradict each other, one line each. */
export function findContradictions({ store, bus }: Sections): string[] {
  const set = new Map<string, string>();
  for (const [section, values] of Object.entries({ store, bus }))
    for (const [key, value] of Object.entries(values)) set.set(`${section}.${key}`, value);
  const problems: string[] = [];
  for (const [one, other] of PAIRS) {
    if (set.has(one) && !set.has(other)) problems.push(`${named(one)}: needs ${named(other)}`);
    if (set.has(other) && !set.has(one)) problems.push(`${named(other)}: needs ${named(one)}`);
  }
  for (const { url, settings } of CREDENTIALS) {
    const [first, second] = settings.filter((name) => set.has(name));
    if (first === undefined) continue;
    if (second !== undefined) problems.push(`${named(second)}: excludes ${named(first)}; set one of them`);
    if (USER_INFO.test(set.get(url) ?? ''))
      problems.push(`${named(first)}: excludes credentials in ${named(url)}`);
  }
  return problems;
}

function named(name: string): string {
  const { env } = listSettings().find(({ path }) => path.join('.') === name) ?? {};
  return env === undefined ? name : `${name} (${env})`;
}
