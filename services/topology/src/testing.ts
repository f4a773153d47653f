/** For tests of the server as several processes: engines for one test, clients, and failures. */
export type { Child } from './child.ts';
export { type EngineProcess, startEngine } from './fixtures/engine-process.ts';
export {
  type Answer,
  type ClientRequestInit,
  createKeepAliveClient,
  type KeepAliveClient,
  Unanswered,
} from './fixtures/keep-alive-client.ts';
export { findNatsServer, startNatsServer } from './fixtures/nats-server.ts';
export { publishedFacts } from './fixtures/published-facts.ts';
export { type Account, registerAccount } from './fixtures/register-account.ts';
export { registerAdmin } from './fixtures/register-admin.ts';
export { type Engines, newSandbox, type Sandbox, SECRET } from './fixtures/sandbox.ts';
export { choose, seededRandom } from './fixtures/seeded-random.ts';
export { startOneProcess } from './fixtures/start-one-process.ts';
export { freePorts } from './free-ports.ts';
