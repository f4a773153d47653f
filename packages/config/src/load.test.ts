import { describe, expect, it } from 'vitest';
import { ConfigError } from './config-error.ts';
import type { Environment } from './environment.ts';
import { type LoadedConfig, loadConfig } from './load.ts';

const FILE = '/etc/steward.yaml';

/** Loads the given files, the first of which is the configuration file. */
function load(env: Environment, files: Record<string, string> = {}): LoadedConfig {
  const readFile = (path: string) => {
    const text = files[path];
    if (text === undefined) throw new Error(`ENOENT: no such file or directory, open '${path}'`);
    return text;
  };
  return loadConfig({ env: FILE in files ? { STEWARD_CONFIG: FILE, ...env } : env, readFile });
}

function problems(env: Environment, files: Record<string, string> = {}): readonly string[] {
  try {
    load(env, files);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

const overrides = (values: unknown): Environment => ({ STEWARD_CONFIG_OVERRIDES: JSON.stringify(values) });

describe('the layers', () => {
  it('the layers of the configuration are complete with nothing set', () => {
    const config = load({});
    expect(config.server).toEqual({
      name: 'localhost',
      host: '127.0.0.1',
      port: 8008,
      data: './data',
      documentation: true,
      console: true,
      compat_prefixes: true,
      trusted_proxies: ['loopback'],
    });
    expect(config.store.url).toBe('sqlite');
    expect(config.registration).toEqual({
      enabled: false,
      requires_token: false,
      require_approval: false,
      guests: false,
      inhibit_user_in_use: false,
    });
    expect(config.rate_limits.message).toEqual({ per_second: 0.2, burst: 10 });
    expect(config.rate_limits.admin_redaction).toBeUndefined();
    expect(config.rooms.default_version).toBe('10');
    expect(config.warnings).toEqual([]);
  });

  it('have a precedence: defaults, file, overrides, environment', () => {
    const file = 'server: { name: file.example, port: 1, host: 10.0.0.1, data: /srv }';
    const config = load(
      { ...overrides({ server: { port: 2, host: '10.0.0.2' } }), STEWARD_HOST: '10.0.0.3' },
      { [FILE]: file },
    );
    expect(config.server).toMatchObject({ name: 'file.example', port: 2, host: '10.0.0.3', data: '/srv' });
  });

  it('merge maps, replace lists, and remove keys with null', () => {
    const file = `
      server: { trusted_proxies: [10.0.0.0/8, 10.1.0.0/16], public_baseurl: https://a.example }
      rate_limits: { message: { per_second: 5, burst: 50 } }
      passwords:`;
    const config = load(
      overrides({
        server: { trusted_proxies: ['::1'], public_baseurl: null },
        rate_limits: { message: { burst: 60 } },
      }),
      { [FILE]: file },
    );
    expect(config.server.trusted_proxies).toEqual(['::1']);
    expect(config.server.public_baseurl).toBeUndefined();
    expect(config.rate_limits.message).toEqual({ per_second: 5, burst: 60 });
    expect(config.passwords.enabled).toBe(true);
  });

  it('ignore an empty file and empty variables', () => {
    const config = load({ STEWARD_PORT: '', STEWARD_CONFIG_OVERRIDES: '' }, { [FILE]: '# nothing yet\n' });
    expect(config.server.port).toBe(8008);
  });
});

describe('the environment', () => {
  it('sets the setting of each variable', () => {
    const config = load({
      STEWARD_SERVER_NAME: 'Example.ORG:8448',
      STEWARD_HOST: '::',
      STEWARD_PORT: '0',
      STEWARD_DATA: '/var/lib/steward',
      STEWARD_PUBLIC_BASEURL: 'https://chat.example.org',
      STEWARD_COMPAT_PREFIXES: 'off',
      STEWARD_TRUSTED_PROXIES: '10.0.0.0/8, loopback',
      STEWARD_STORE: 'mongodb://a,b/steward?replicaSet=x',
      STEWARD_NATS_URL: 'nats://a:4222,nats://b:4222',
      STEWARD_REGISTRATION_SHARED_SECRET: '0123',
      STEWARD_ENABLE_REGISTRATION: 'true',
      STEWARD_SERVER_NOTICES: '1',
      STEWARD_MEDIA_STORE: 'gridfs',
      STEWARD_RATE_LIMIT: 'off',
      STEWARD_MSC3861: 'on',
      STEWARD_LOG_LEVEL: 'debug',
      STEWARD_METRICS_PORT: '9100',
    });
    expect(config).toMatchObject({
      server: {
        name: 'example.org:8448',
        host: '::',
        port: 0,
        data: '/var/lib/steward',
        public_baseurl: 'https://chat.example.org',
        compat_prefixes: false,
        trusted_proxies: ['10.0.0.0/8', 'loopback'],
      },
      store: { url: 'mongodb://a,b/steward?replicaSet=x' },
      bus: { nats_url: 'nats://a:4222,nats://b:4222' },
      registration: { shared_secret: '0123', enabled: true },
      notices: { enabled: true },
      media: { store: 'gridfs' },
      rate_limits: { enabled: false },
      delegated_authentication: { enabled: true },
      logging: { level: 'debug' },
      telemetry: { metrics_port: 9100 },
    });
  });

  it('warns of unknown variables', () => {
    const { warnings } = load({ STEWARD_SERVERNAME: 'x', STEWARD_THEME: 'dark', PATH: '/bin' });
    expect(warnings).toEqual([
      'STEWARD_SERVERNAME is not a setting; did you mean STEWARD_SERVER_NAME?',
      'STEWARD_THEME is not a setting',
    ]);
  });
});

describe('the file', () => {
  it('accepts flags that YAML parses as text or number, and room versions without quotation marks', () => {
    const config = load(
      {},
      { [FILE]: 'notices: { enabled: on }\nregistration: { guests: 1 }\nrooms: { default_version: 11 }' },
    );
    expect(config.notices.enabled).toBe(true);
    expect(config.registration.guests).toBe(true);
    expect(config.rooms.default_version).toBe('11');
  });

  it('must exist', () => {
    expect(problems({ STEWARD_CONFIG: '/nowhere' })).toEqual([
      "STEWARD_CONFIG: /nowhere cannot be read (ENOENT: no such file or directory, open '/nowhere')",
    ]);
  });

  it('must be YAML, and the report does not quote it', () => {
    const [problem = '', ...others] = problems(
      {},
      { [FILE]: 'registration:\n  shared_secret: "hush\n  enabled: true\n' },
    );
    expect(problem).toMatch(/^\/etc\/steward\.yaml: .* at line \d+, column \d+$/);
    expect([problem, ...others].join()).not.toContain('hush');
  });

  it('may not contain unresolved aliases', () => {
    expect(problems({}, { [FILE]: 'server: *base' })).toEqual([
      '/etc/steward.yaml: Unresolved alias (the anchor must be set before the alias): base',
    ]);
  });

  it('must contain sections', () => {
    expect(problems({}, { [FILE]: '- a\n' })).toEqual(['/etc/steward.yaml: must hold a map of sections']);
  });
});

describe('problems', () => {
  it('problems of the configuration are reported all at once, each with its source', () => {
    expect(
      problems(
        { ...overrides({ logging: { level: 'loud' }, passwords: 'long' }), STEWARD_PORT: '80080' },
        { [FILE]: 'media: { max_upload_bytes: big }\nrate_limits: { admin_redaction: { burst: 0 } }' },
      ),
    ).toEqual([
      'server.port (STEWARD_PORT): must be at most 65535',
      'passwords (STEWARD_CONFIG_OVERRIDES): must be a map of keys',
      'media.max_upload_bytes (/etc/steward.yaml): must be a number',
      'rate_limits.admin_redaction.per_second (/etc/steward.yaml): is missing',
      'rate_limits.admin_redaction.burst (/etc/steward.yaml): must be more than 0',
      'logging.level (STEWARD_CONFIG_OVERRIDES): must be one of fatal, error, warn, info, debug, trace, silent',
    ]);
  });

  it('name an unknown key and the one that was probably meant', () => {
    expect(
      problems(
        {},
        {
          [FILE]: 'server: { prot: 1 }\nserver_name: x\nmedai: {}\nrooms: { show_locked_users: on }\nxyz: 1',
        },
      ),
    ).toEqual([
      'server.prot (/etc/steward.yaml): there is no such key; did you mean server.port?',
      'rooms.show_locked_users (/etc/steward.yaml): there is no such key; did you mean user_directory.show_locked_users?',
      'server_name (/etc/steward.yaml): there is no such key; did you mean server.name?',
      'medai (/etc/steward.yaml): there is no such key; did you mean media?',
      'xyz (/etc/steward.yaml): there is no such key',
    ]);
  });

  it('do not quote overrides that are not JSON', () => {
    expect(problems({ STEWARD_CONFIG_OVERRIDES: '{"registration":{"shared_secret":"hush' })).toEqual([
      'STEWARD_CONFIG_OVERRIDES: is not valid JSON',
    ]);
    expect(problems({ STEWARD_CONFIG_OVERRIDES: '[]' })).toEqual([
      'STEWARD_CONFIG_OVERRIDES: must be a JSON object of sections',
    ]);
  });

  it('form the message of the error, one line each', () => {
    expect(() => load({ STEWARD_PORT: '-1', STEWARD_STORE: 'postgres://' })).toThrow(
      'The configuration cannot be used:\n' +
        '  server.port (STEWARD_PORT): must be at least 0\n' +
        '  store.url (STEWARD_STORE): must be sqlite or a mongodb:// URL',
    );
  });

  it('include malformed content URIs and an overlong topic of server notices', () => {
    const notices = { avatar_url: 'mxc://a', room_avatar_url: 'https://a/b', room_topic: 'x'.repeat(4_097) };
    expect(problems(overrides({ notices }))).toEqual([
      'notices.avatar_url (STEWARD_CONFIG_OVERRIDES): must be an mxc:// URI',
      'notices.room_avatar_url (STEWARD_CONFIG_OVERRIDES): must be an mxc:// URI',
      'notices.room_topic (STEWARD_CONFIG_OVERRIDES): must have at most 4096 characters',
    ]);
  });

  it('include contradictions between settings', () => {
    expect(problems({ STEWARD_MEDIA_STORE: 'gridfs' })).toEqual([
      'media.store: gridfs needs a mongodb:// URL in store.url',
    ]);
    expect(problems({ STEWARD_MEDIA_SECOND_STORE: 's3' })).toEqual([
      'media.second_store: s3 needs a bucket in media.second_s3.bucket (STEWARD_SECOND_S3_BUCKET)',
    ]);
    expect(problems({ STEWARD_MEDIA_SECOND_STORE: 'file' })).toEqual([
      'media.second_store: must not be the place of media.store',
    ]);
    const sessions = { require_second_factor: 'administrators' };
    const overrides = JSON.stringify({ sessions, passwords: { enabled: false } });
    expect(problems({ STEWARD_CONFIG_OVERRIDES: overrides })).toEqual([
      'sessions.require_second_factor: needs passwords.enabled or oidc.providers, to sign in to the console',
    ]);
  });

  it('include an issuer of access tokens next to what lets users in without it', () => {
    const of = (delegated_authentication: object, more = {}) =>
      problems({ STEWARD_CONFIG_OVERRIDES: JSON.stringify({ delegated_authentication, ...more }) });
    const issuer = { enabled: true, issuer: 'https://issuer.example', client_id: 'steward' };
    expect(of({ ...issuer, enabled: false, client_id: undefined })).toEqual([
      'delegated_authentication.issuer: needs delegated_authentication.enabled (STEWARD_MSC3861)',
      'delegated_authentication.issuer: needs delegated_authentication.client_id',
    ]);
    expect(of({ enabled: true, client_id: 'steward' })).toEqual([
      'delegated_authentication.client_id: needs delegated_authentication.issuer',
    ]);
    const open = { registration: { enabled: true }, sessions: { require_second_factor: 'administrators' } };
    expect(of(issuer, open)).toEqual([
      'delegated_authentication.issuer: excludes registration.enabled (STEWARD_ENABLE_REGISTRATION)',
      expect.stringContaining('excludes sessions.require_second_factor'),
    ]);
  });

  it('do not include a second bucket for media', () => {
    const s3 = { STEWARD_S3_BUCKET: 'a', STEWARD_SECOND_S3_BUCKET: 'b' };
    const { media } = load({ ...s3, STEWARD_MEDIA_STORE: 's3', STEWARD_MEDIA_SECOND_STORE: 's3' });
    expect([media.s3.bucket, media.second_s3.bucket]).toEqual(['a', 'b']);
  });

  it('include credentials for the engines that are incomplete, or given twice, and show none', () => {
    expect(
      problems({
        STEWARD_STORE: 'mongodb://root:hush@db/steward',
        STEWARD_STORE_USER: 'steward',
        STEWARD_STORE_KEY_FILE: '/key.pem',
        STEWARD_NATS_URL: 'tls://bus',
        STEWARD_NATS_USER: 'user',
        STEWARD_NATS_PASSWORD_FILE: '/password',
        STEWARD_NATS_NKEY_FILE: '/seed',
      }),
    ).toEqual([
      'store.user (STEWARD_STORE_USER): needs store.password_file (STEWARD_STORE_PASSWORD_FILE)',
      'store.key_file (STEWARD_STORE_KEY_FILE): needs store.certificate_file (STEWARD_STORE_CERTIFICATE_FILE)',
      'store.user (STEWARD_STORE_USER): excludes credentials in store.url (STEWARD_STORE)',
      'bus.nats_nkey_file (STEWARD_NATS_NKEY_FILE): excludes bus.nats_user (STEWARD_NATS_USER); set one of them',
    ]);
  });
});

describe('account types', () => {
  it('account types are none but the built-in ones by default', () => {
    expect(load({}).accounts).toMatchObject({ user_types: [] });
  });

  it('can be added, and one of all types can be the default', () => {
    const accounts = { user_types: ['staff', 'été 😀'], default_user_type: 'staff' };
    expect(load(overrides({ accounts })).accounts).toMatchObject(accounts);
    expect(load(overrides({ accounts: { default_user_type: 'bot' } })).accounts).toMatchObject({
      user_types: [],
      default_user_type: 'bot',
    });
  });

  it.each([
    [{ user_types: [''] }, 'user_types.0', 'must not be empty'],
    [
      { user_types: ['a', 'x'.repeat(65)] },
      'user_types.1',
      'must have at most 64 characters, none of them a control character',
    ],
    [
      { user_types: ['a\0'] },
      'user_types.0',
      'must have at most 64 characters, none of them a control character',
    ],
    [{ user_types: [1] }, 'user_types.0', 'must be text'],
    [
      { user_types: Array.from({ length: 101 }, (_, n) => `type ${n}`) },
      'user_types',
      'must have at most 100 entries',
    ],
    [
      { user_types: ['staff'], default_user_type: 'Staff' },
      'default_user_type',
      'must be one of bot, support, staff; add it to accounts.user_types',
    ],
    [
      { default_user_type: '' },
      'default_user_type',
      'must be one of bot, support; add it to accounts.user_types',
    ],
  ])('cannot be %j', (accounts, setting, problem) => {
    expect(problems(overrides({ accounts }))).toEqual([
      `accounts.${setting} (STEWARD_CONFIG_OVERRIDES): ${problem}`,
    ]);
  });
});

describe('the shared secret', () => {
  const fromFile = { STEWARD_REGISTRATION_SHARED_SECRET_FILE: '/run/secret' };

  it('can come from a file, without the line break', () => {
    const { registration } = load(fromFile, { '/run/secret': 'hush hush\n' });
    expect(registration).toEqual({
      shared_secret: 'hush hush',
      enabled: false,
      requires_token: false,
      require_approval: false,
      guests: false,
      inhibit_user_in_use: false,
    });
  });

  it('comes from a value or a file, not from both', () => {
    expect(
      problems(fromFile, { [FILE]: 'registration: { shared_secret: hush }', '/run/secret': 'other' }),
    ).toEqual([
      'registration.shared_secret: is set together with registration.shared_secret_file; set one of them',
    ]);
  });

  it('must not be missing in the file', () => {
    expect(problems(fromFile, { '/run/secret': '\n' })).toEqual([
      'registration.shared_secret_file: /run/secret is empty',
    ]);
    expect(problems({ ...fromFile, STEWARD_PORT: 'x' })).toEqual([
      "registration.shared_secret_file: /run/secret cannot be read (ENOENT: no such file or directory, open '/run/secret')",
      'server.port (STEWARD_PORT): must be a number',
    ]);
  });

  it('may be empty, which turns registration with it off', () => {
    expect(load({}, { [FILE]: "registration: { shared_secret: '' }" }).registration.shared_secret).toBe('');
  });
});

describe('the token for metrics', () => {
  it('can come from a file', () => {
    const config = load({ STEWARD_METRICS_TOKEN_FILE: '/run/token' }, { '/run/token': 'sixteen letters.\n' });
    expect(config.telemetry).toMatchObject({ metrics_token: 'sixteen letters.' });
  });

  it('must not be short', () => {
    expect(problems({ STEWARD_METRICS_TOKEN: 'fifteen letters' })).toEqual([
      expect.stringMatching(/^telemetry\.metrics_token \(STEWARD_METRICS_TOKEN\): /),
    ]);
  });
});

describe('traces', () => {
  it('traces are sent with headers of a file', () => {
    const lines = 'Authorization: Bearer abc\nx-tenant: one';
    const config = load({ STEWARD_TRACES_HEADERS_FILE: '/run/headers' }, { '/run/headers': `${lines}\n` });
    expect(config.telemetry.traces.headers).toBe(lines);
  });

  it.each(['abc', 'Authorization:', 'Author ization: x', 'a: b\nsecret-without-name', 'a: b\u0007'])(
    'have no header %j, which is not shown',
    (headers) => {
      const [problem, ...others] = problems({ STEWARD_TRACES_HEADERS: headers });
      expect(problem).toMatch(
        /^telemetry\.traces\.headers \(STEWARD_TRACES_HEADERS\): must have one header a line/,
      );
      expect(problem).not.toContain('secret');
      expect(others).toEqual([]);
    },
  );

  it.each(['collector:4318', 'ftp://collector/v1/traces', 'http://user:secret@collector/v1/traces'])(
    'are not sent to %s',
    (endpoint) => {
      expect(problems({ STEWARD_TRACES_ENDPOINT: endpoint })).toEqual([
        expect.stringMatching(/^telemetry\.traces\.endpoint \(STEWARD_TRACES_ENDPOINT\): (?!.*secret@)/),
      ]);
    },
  );
});

describe('a mistake of the operator', () => {
  it('a mistake of the operator is named when a credential is too short, from a variable or a file', () => {
    const short = 'is too short: it must have at least 16 characters';
    expect(problems({ STEWARD_INTERNAL_CREDENTIAL: 'short' })).toEqual([
      `services.credential (STEWARD_INTERNAL_CREDENTIAL): ${short}`,
    ]);
    expect(problems({ STEWARD_INTERNAL_CREDENTIAL_FILE: '/secret' }, { '/secret': 'short\n' })).toEqual([
      expect.stringContaining(short),
    ]);
  });

  it('a mistake of the operator is named when server and metrics have the same port', () => {
    const same = [
      'telemetry.metrics_port (STEWARD_METRICS_PORT): must differ from server.port (STEWARD_PORT)',
    ];
    expect(problems({ STEWARD_METRICS_PORT: '8008' })).toEqual(same);
    expect(problems({ STEWARD_PORT: '9100', STEWARD_METRICS_PORT: '9100' })).toEqual(same);
  });

  it.each(['http://127.0.0.1:4222', 'nats://127.0.0.1:99999', 'nats://one,two', 'nats://one, nats://two'])(
    'is named when the URL of the broker is %s',
    (url) => {
      expect(problems({ STEWARD_NATS_URL: url })).toEqual([
        expect.stringMatching(/STEWARD_NATS_URL\): must be a nats:\/\//),
      ]);
    },
  );

  it('include incomplete files for TLS between processes, and URLs that do not fit them', () => {
    const files = { STEWARD_SERVICES_CA_FILE: '/ca', STEWARD_SERVICES_KEY_FILE: '/key' };
    const urls = { STEWARD_USER_URLS: 'https://a,http://b', STEWARD_ROOM_URLS: 'http://c' };
    const user = 'services.user_urls (STEWARD_USER_URLS): must be';
    expect(problems(urls)).toEqual([`${user} http:// URLs without services.tls`]);
    expect(problems({ ...files, ...urls })).toEqual([
      'services.tls.ca_file (STEWARD_SERVICES_CA_FILE): needs services.tls.certificate_file (STEWARD_SERVICES_CERTIFICATE_FILE)',
      `${user} https:// URLs with services.tls`,
      'services.room_urls (STEWARD_ROOM_URLS): must be https:// URLs with services.tls',
    ]);
    const complete = { ...files, STEWARD_SERVICES_CERTIFICATE_FILE: '/c', STEWARD_USER_URLS: 'https://a' };
    expect(problems(complete)).toEqual([]);
  });

  it('include clients whose names, files or scopes cannot be', () => {
    const client = { name: 'a', credential_files: ['/a'], scopes: ['users:read'] };
    const clients = (...given: readonly object[]) => problems(overrides({ services: { clients: given } }));
    expect(clients(client, { ...client, name: 'b' })).toEqual([]);
    expect(clients(client, client)).toEqual([
      'services.clients (STEWARD_CONFIG_OVERRIDES): must have different names',
    ]);
    expect(clients({ name: 'A b', credential_files: [], scopes: [] })).toEqual([
      expect.stringMatching(/^services.clients.0.name .*: must be at most 64 of a-z/),
      expect.stringMatching(/^services.clients.0.credential_files .*: must name one file, or two$/),
      expect.stringMatching(/^services.clients.0.scopes .*: must name at least one scope$/),
    ]);
    expect(clients({ ...client, credential_files: ['/a', '/b', '/c'] })).toHaveLength(1);
  });
});
