import type { Config } from '@steward/config';
import { firstAdministrator } from '@steward/runtime';

/** Returns the lines that the server prints when it is ready. */
export function banner(about: {
  readonly url: string;
  readonly grpcUrl: string | undefined;
  readonly config: Config;
  readonly secretFrom: string;
  /** Whether the server has no administrator yet. */
  readonly isNew: boolean;
}): string {
  const { url, grpcUrl, config, secretFrom, isNew } = about;
  const lines = [
    `steward is ready: ${config.server.name}`,
    '',
    ...(config.server.console ? [`  Console              ${url}/_service/console/`] : []),
    `  Admin API            ${url}/_service/admin`,
    `  Client API           ${url}/_proto/client`,
    ...(grpcUrl === undefined ? [] : [`  gRPC                 ${grpcUrl}`]),
    ...(config.server.documentation ? [`  Documentation        ${url}/_service/docs`] : []),
    `  Health               ${url}/health`,
    `  Data                 ${config.server.data}`,
    `  Registration secret  ${secretFrom}`,
    '',
    ...(isNew
      ? firstAdministrator({
          url,
          config,
          secretFrom,
          heading: 'Create the first administrator, in another terminal:',
        })
      : []),
  ];
  return `${lines.join('\n')}\n`;
}
