import { Agent, request as openRequest } from 'node:http';

/** The pause between two requests of the administrator, in milliseconds. */
const PAUSE_MS = 20;

/** How long the administrator waits for an answer, in milliseconds. */
const PATIENCE_MS = 10_000;

/** Every so many requests the administrator opens a new connection, as a tool does that is started anew. */
const NEW_CONNECTION_EVERY = 5;

/** The waits of an administrator at work. */
export interface Waits {
  readonly count: number;
  readonly failures: readonly string[];
  /** In milliseconds. */
  readonly p50: number;
  /** In milliseconds. */
  readonly p99: number;
  /** In milliseconds. */
  readonly longest: number;
}

/** An administrator who reads an account again and again. */
export interface Administrator {
  /** Ends the work. */
  finish(): Promise<Waits>;
}

/** Starts to read an account repeatedly. */
export function startAdministrator(url: string, token: string, userId: string): Administrator {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const waits: number[] = [];
  const failures: string[] = [];
  let finished = false;
  const work = (async () => {
    for (let count = 0; !finished; count++) {
      const start = performance.now();
      const fresh = count % NEW_CONNECTION_EVERY === 0;
      try {
        const status = await read(url, token, userId, fresh ? false : agent);
        if (status !== 200) failures.push(String(status));
      } catch (error) {
        failures.push((error as Error).message);
      }
      waits.push(performance.now() - start);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  })();
  return {
    async finish() {
      finished = true;
      await work;
      agent.destroy();
      const sorted = waits.toSorted((one, other) => one - other);
      const at = (share: number) =>
        sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
      return { count: waits.length, failures, p50: at(0.5), p99: at(0.99), longest: at(1) };
    },
  };
}

function read(url: string, token: string, userId: string, agent: Agent | false): Promise<number> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = openRequest({
      hostname,
      port,
      path: `/_service/admin/v2/users/${encodeURIComponent(userId)}`,
      headers: { authorization: `Bearer ${token}` },
      agent,
      timeout: PATIENCE_MS,
    });
    sent.on('error', reject);
    sent.on('timeout', () => sent.destroy(new Error(`no answer within ${PATIENCE_MS} ms`)));
    sent.on('response', (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
      response.on('error', reject);
    });
    sent.end();
  });
}
