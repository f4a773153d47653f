import type { Config } from '@steward/config';

/** The codes of the operating system for an address that this machine cannot listen on. */
const HOST_ERRORS: Readonly<Record<string, string>> = {
  EADDRNOTAVAIL: 'is not an address of this machine',
  EAFNOSUPPORT: 'is an address of a kind that this machine does not support',
  EINVAL: 'is not an address to listen on',
};

/** The lowest port that needs no privileges. */
const FIRST_FREE_PORT = 1_024;

/** Why a process cannot listen, in one line that names the setting to change; `undefined` for another error. */
export function explainListenError(
  error: unknown,
  { server, telemetry }: Pick<Config, 'server' | 'telemetry'>,
): string | undefined {
  const {
    code = '',
    syscall,
    port,
    hostname,
  } = error as NodeJS.ErrnoException & {
    readonly port?: number;
    readonly hostname?: string;
  };
  if (syscall === 'getaddrinfo' && hostname === server.host) {
    return `STEWARD_HOST: ${server.host} is neither an address nor a name that this machine knows (${code}).`;
  }
  if (syscall !== 'listen') return undefined;
  const hostError = HOST_ERRORS[code];
  if (hostError !== undefined) return `STEWARD_HOST: ${server.host} ${hostError} (${code}).`;
  const others = { STEWARD_METRICS_PORT: telemetry.metrics_port, STEWARD_GRPC_PORT: server.grpc_port };
  const [setting = 'STEWARD_PORT'] = Object.entries(others).find(([, other]) => other === port) ?? [];
  if (code === 'EADDRINUSE') return `${setting}: port ${port} is in use. Set it to another.`;
  if (code === 'EACCES') {
    return `${setting}: this user may not listen on port ${port}. Set it to ${FIRST_FREE_PORT} or higher.`;
  }
  return `${setting}: port ${port} cannot be listened on (${code}).`;
}
