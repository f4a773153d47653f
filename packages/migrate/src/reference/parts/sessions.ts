import { hash } from 'node:crypto';
import type { Part } from '../../part.ts';
import type { Row } from '../source/database.ts';
import { flag, json, jsonObject, text, textOrNull, whole, wholeOrNull } from '../source/row.ts';
import { type Context, first, groupsPart, isValidAt, rowsPart } from './context.ts';
import { canonicalText, keyRing } from './key-ring.ts';

/** What the first login on a device has; logins on the new server count on. */
const LOGIN = 1;

/** What accounts have that have never ended all sessions on the new server. */
const EPOCH = 0;

/** Devices with their keys, tokens, pushers, and from where users were seen. */
export function sessionParts(context: Context): readonly Part[] {
  const { database, now } = context;
  const unused = `next_token_id IS NULL AND ${isValidAt(now, 'expiry_ts')} AND ${isValidAt(now, 'ultimate_session_expiry_ts')}`;
  // Hidden rows stand for cross-signing keys.
  const shown = `(hidden IS NULL OR hidden = ${database.no})`;
  const by = (...columns: string[]) =>
    `ORDER BY ${columns.map((column) => database.inOrder(column)).join(', ')}`;
  const device = `user_id || ' ' || device_id`;
  const ofDevice = (table: string, rest = '') =>
    [table, `${device} AS key, ${table}.* FROM ${table} ${rest} ${by(device)}`] as const;
  const target = `target_user_id || ' ' || target_device_id`;
  return [
    groupsPart(context, {
      kind: 'devices',
      table: 'devices',
      counted: `devices WHERE ${shown}`,
      query: `${device} AS key, devices.* FROM devices WHERE ${shown} ${by(device)}`,
      others: {
        keys: ofDevice('e2e_device_keys_json'),
        fallback: ofDevice('e2e_fallback_keys_json'),
        signatures: [
          'e2e_cross_signing_signatures',
          `${target} AS key, key_id, signature FROM e2e_cross_signing_signatures WHERE user_id = target_user_id ${by(target, 'key_id')}`,
        ],
        dehydrated: ofDevice('dehydrated_devices'),
      },
      read(row, of) {
        const userId = text(row, 'user_id');
        const deviceId = text(row, 'device_id');
        const keys = of.keys[0];
        return {
          record: {
            user_id: userId,
            device_id: deviceId,
            display_name: textOrNull(row, 'display_name'),
            last_seen_ts: wholeOrNull(row, 'last_seen'),
            last_seen_ip: textOrNull(row, 'ip'),
            last_seen_user_agent: textOrNull(row, 'user_agent'),
            epoch: EPOCH,
            logins: LOGIN,
            key_ring: keyRing(userId, deviceId),
            keys_version: 1,
            ...(keys ? { device_keys: deviceKeys(keys) } : {}),
            ...(of.signatures.length > 0 ? { cross_signatures: signaturesOf(of.signatures) } : {}),
            fallback_keys: of.fallback.map(fallbackKey),
            used_fallback_keys: of.fallback.filter((each) => flag(each, 'used')).map(keyName),
            ...(of.dehydrated.length > 0 ? { dehydrated: 1 } : {}),
          },
        };
      },
    }),
    rowsPart(context, {
      kind: 'access_tokens',
      table: 'access_tokens',
      counted: `access_tokens WHERE ${isValidAt(now, 'valid_until_ms')}`,
      query: `access_tokens.*, devices.device_id AS known FROM access_tokens LEFT JOIN devices ON devices.user_id = access_tokens.user_id AND devices.device_id = access_tokens.device_id WHERE ${isValidAt(now, 'valid_until_ms')} ORDER BY access_tokens.id`,
      keyOf: (row) => `id ${row.id} of ${row.user_id}`,
      read(row) {
        const owner = text(row, 'user_id');
        const deviceId = textOrNull(row, 'device_id');
        if (deviceId !== null && row.known === null) throw new Error(`its device ${deviceId} does not exist`);
        return {
          record: {
            digest: tokenDigest(text(row, 'token')),
            user_id: textOrNull(row, 'puppets_user_id') ?? owner,
            owner,
            device_id: deviceId,
            ...(deviceId === null ? {} : { login: LOGIN }),
            epoch: EPOCH,
            created_ts: wholeOrNull(row, 'last_validated') ?? 0,
            valid_until_ms: wholeOrNull(row, 'valid_until_ms'),
          },
        };
      },
    }),
    rowsPart(context, {
      kind: 'refresh_tokens',
      table: 'refresh_tokens',
      counted: `refresh_tokens WHERE ${unused}`,
      query: `refresh_tokens.*, access_tokens.token AS access, access_tokens.last_validated FROM refresh_tokens LEFT JOIN access_tokens ON access_tokens.refresh_token_id = refresh_tokens.id WHERE ${unused} ORDER BY refresh_tokens.id`,
      keyOf: (row) => `id ${row.id} of ${row.user_id}`,
      read: (row) => ({
        record: {
          digest: tokenDigest(text(row, 'token')),
          user_id: text(row, 'user_id'),
          device_id: text(row, 'device_id'),
          login: LOGIN,
          epoch: EPOCH,
          created_ts: wholeOrNull(row, 'last_validated') ?? 0,
          // Of one whose access token has ended, it is a digest that no token has.
          access: tokenDigest(textOrNull(row, 'access') ?? `of ${row.token}`),
        },
        ...(wholeOrNull(row, 'ultimate_session_expiry_ts') === null
          ? {}
          : { losses: ['the end of its session is not carried'] }),
      }),
    }),
    rowsPart(context, {
      kind: 'connections',
      table: 'user_ips',
      counted: '(SELECT 1 FROM user_ips GROUP BY user_id, access_token, ip) AS seen',
      query: `user_id, access_token, ip, MAX(last_seen) AS last_seen, MAX(user_agent) AS user_agent FROM user_ips GROUP BY user_id, access_token, ip ${by('user_id', 'access_token', 'ip')}`,
      keyOf: (row) => `${row.user_id} at ${row.ip}`,
      read: (row) => ({
        record: {
          token_and_address: `${tokenDigest(text(row, 'access_token'))} ${text(row, 'ip')}`,
          user_id: text(row, 'user_id'),
          ip: text(row, 'ip'),
          user_agent: text(row, 'user_agent'),
          last_seen: whole(row, 'last_seen'),
        },
      }),
    }),
    rowsPart(context, {
      kind: 'pushers',
      table: 'pushers',
      query: `pushers.*, COALESCE(${database.tables.get('pushers')?.has('device_id') ? 'pushers.device_id, ' : ''}access_tokens.device_id) AS device FROM pushers LEFT JOIN access_tokens ON access_tokens.id = pushers.access_token ORDER BY pushers.id`,
      keyOf: (row) => `id ${row.id} of ${row.user_name}`,
      read(row) {
        if (!flag(row, 'enabled', true)) return undefined;
        if (row.device === null) throw new Error('it belongs to no device');
        return {
          record: {
            user_id: text(row, 'user_name'),
            app_id: text(row, 'app_id'),
            pushkey: text(row, 'pushkey'),
            kind: text(row, 'kind'),
            app_display_name: text(row, 'app_display_name'),
            device_display_name: text(row, 'device_display_name'),
            profile_tag: textOrNull(row, 'profile_tag') ?? '',
            lang: textOrNull(row, 'lang') ?? '',
            data: JSON.stringify(jsonObject(row, 'data')),
            device_id: text(row, 'device'),
            login: LOGIN,
            epoch: EPOCH,
          },
        };
      },
    }),
    rowsPart(context, {
      kind: 'registration_tokens',
      table: 'registration_tokens',
      query: `* FROM registration_tokens ${by('token')}`,
      keyOf: (row) => String(row.token),
      read: (row) => ({
        record: {
          token: text(row, 'token'),
          version: 1,
          uses_allowed: wholeOrNull(row, 'uses_allowed'),
          completed: whole(row, 'completed'),
          expiry_ts: wholeOrNull(row, 'expiry_time'),
          held: [],
        },
      }),
    }),
    groupsPart(context, {
      kind: 'dehydrated_devices',
      table: 'dehydrated_devices',
      query: `${device} AS key, dehydrated_devices.* FROM dehydrated_devices ${by(device)}`,
      others: {
        devices: ofDevice('devices'),
        keys: ofDevice('e2e_device_keys_json'),
        fallback: ofDevice('e2e_fallback_keys_json'),
      },
      read(row, of) {
        const userId = text(row, 'user_id');
        const deviceId = text(row, 'device_id');
        const keys = of.keys[0];
        if (!keys) throw new Error('its device has no keys');
        return {
          record: {
            user_id: userId,
            version: 1,
            device: {
              device_id: deviceId,
              key_ring: keyRing(userId, deviceId),
              epoch: EPOCH,
              display_name: textOrNull(first(of.devices), 'display_name'),
              device_data: text(row, 'device_data'),
              device_keys: deviceKeys(keys),
              fallback_keys: of.fallback.map(fallbackKey),
            },
          },
        };
      },
    }),
  ];
}

function deviceKeys(row: Row): string {
  const { unsigned: _, ...keys } = jsonObject(row, 'key_json');
  return canonicalText(keys);
}

function signaturesOf(rows: readonly Row[]): string {
  return JSON.stringify(Object.fromEntries(rows.map((row) => [text(row, 'key_id'), text(row, 'signature')])));
}

function keyName(row: Row): string {
  return `${text(row, 'algorithm')}:${text(row, 'key_id')}`;
}

function fallbackKey(row: Row) {
  return { name: keyName(row), key: canonicalText(json(row, 'key_json')) };
}

/** The digest under which tokens are stored. */
function tokenDigest(token: string): string {
  return hash('sha256', token, 'base64url');
}
