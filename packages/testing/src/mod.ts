/** Tools for tests against a running server. */
export { type CertificateFiles, createAuthority, type TestAuthority } from './certificates.ts';
export { CHROMIUM_ARGS } from './chromium-args.ts';
export { compileCache } from './compile-cache.ts';
export {
  type Engine,
  type EngineName,
  requireEngine,
  requireTool,
  type Tool,
  type ToolName,
} from './engine.ts';
export { createFakeClock, type FakeClock } from './fake-clock.ts';
export { type FaultyProxy, startFaultyProxy } from './faulty-proxy.ts';
export { type HttpRequest, queryText, type Reply, sendHttp } from './http.ts';
export { type LineProgram, startLineProgram } from './line-program.ts';
export { path } from './path.ts';
export { programPath } from './program-path.ts';
export { type Program, startFerretDb, startNatsServer } from './programs.ts';
export {
  NOTIFY_PATH,
  type Notification,
  type PushAnswer,
  type PushGateway,
  startPushGateway,
} from './push-gateway.ts';
export { type MacInput, registrationMac } from './registration-mac.ts';
export type {
  BrokenConsumer,
  RunningSetup,
  Seed,
  SeededAccount,
  SeededMedia,
  SeededTask,
  SeededToken,
  ServiceName,
  ServicePorts,
  Setup,
  SetupOptions,
} from './setup.ts';
export { dueCalls, dueRuns, isDue } from './soak.ts';
export { withLongTimeouts } from './with-long-timeouts.ts';
export { type Actor, type Registration, type Send, World } from './world.ts';
