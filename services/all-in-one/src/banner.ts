import type { Config } from '@steward/config';

/** Returns the lines that the server prints when it is ready. */
export function banner(about: {
  readonly url: string;
  readonly config: Config;
  readonly secretFrom: string;
}): string {
  const { url, config, secretFrom } = about;
  const lines = [
    `steward is ready: ${config.server.name}`,
    '',
    `  Admin API            ${url}/_service/admin`,
    `  Client API           ${url}/_proto/client`,
    ...(config.server.documentation ? [`  Documentation        ${url}/_service/docs`] : []),
    `  Health               ${url}/health`,
    `  Data                 ${config.server.data}`,
    `  Registration secret  ${secretFrom}`,
    '',
    'Create the first administrator, in another terminal:',
    '',
    '  npm run register -- --admin alice',
    '',
  ];
  return `${lines.join('\n')}\n`;
}
