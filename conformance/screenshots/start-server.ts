import { startAllInOne } from '@steward/all-in-one';
import { loadConfig } from '@steward/config';
import type { Clock } from '@steward/kernel';
import { createLogger } from '@steward/telemetry';

/** The name of the server in the pictures. */
export const SERVER_NAME = 'harbour.example';
/** What registers its first administrator. */
export const SHARED_SECRET = 'of the pictures';

/** The server whose console is shown. */
export interface PicturedServer {
  readonly url: string;
  /** Starts it anew, on the same data and port: a server that starts keeps the figures of the hour at once. */
  readonly restart: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Starts a server on a free port, with its data in a directory. */
export async function startServer(data: string, clock: Clock): Promise<PicturedServer> {
  let server = await startOn(0, data, clock);
  const { url } = server;
  return {
    url,
    async restart() {
      await server.close();
      server = await startOn(Number(new URL(url).port), data, clock);
    },
    close: () => server.close(),
  };
}

function startOn(port: number, data: string, clock: Clock) {
  const config = loadConfig({
    env: { STEWARD_CONFIG: 'pictures' },
    // JSON is YAML as well.
    readFile: () =>
      JSON.stringify({
        server: { name: SERVER_NAME, host: '127.0.0.1', port, data },
        store: { url: 'sqlite' },
        registration: { enabled: true, require_approval: true, shared_secret: SHARED_SECRET },
        rate_limits: { enabled: false },
        notices: { enabled: true },
        shadow_ban: { pause_min_ms: 0, pause_max_ms: 0 },
        logging: { level: 'error' },
      }),
  });
  return startAllInOne({ config, clock, logger: createLogger({ name: 'steward', ...config.logging }) });
}
