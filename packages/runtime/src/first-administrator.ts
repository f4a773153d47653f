import type { Config } from '@steward/config';

/** Where `register` looks without a setting. */
const DEFAULT_PORT = '8008';
const DEFAULT_DATA = './data';
/** The host that `register` calls. */
const OWN_HOST = '127.0.0.1';
/** What a shell takes as it is. */
const PLAIN = /^[\w@%+=:,./-]+$/;

/**
 * Returns the lines that say how to create the first administrator: with the settings that the command needs to reach this server and to
 * find its secret.
 *
 * @param url where the server listens
 * @param heading in front of the command
 * @param secretFrom the path of the file with the registration secret, `as configured`, or `off`
 */
export function firstAdministrator(about: {
  readonly url: string;
  readonly config: Pick<Config, 'server'>;
  readonly secretFrom: string;
  readonly heading: string;
}): readonly string[] {
  const { url, config, secretFrom, heading } = about;
  if (secretFrom === 'off')
    return [
      'To create an administrator, set registration.shared_secret: the registration secret is off.',
      '',
    ];
  const { hostname, port } = new URL(url);
  const { data } = config.server;
  const isHere = hostname === OWN_HOST;
  const command = [
    ...(isHere && port !== DEFAULT_PORT ? [`STEWARD_PORT=${port}`] : []),
    ...(data === DEFAULT_DATA || secretFrom === 'as configured' ? [] : [`STEWARD_DATA=${quoted(data)}`]),
    'npm run register -- --admin alice',
    ...(isHere ? [] : [`--url ${url}`]),
    ...(secretFrom === 'as configured' ? ["--secret-file '<file with the configured secret>'"] : []),
  ];
  return [heading, '', `  ${command.join(' ')}`, ''];
}

function quoted(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
