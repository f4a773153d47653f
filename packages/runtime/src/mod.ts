/** The shell of a process: start, engines, orderly end. */

export { checkSchema, SCHEMA } from './claim-schema.ts';
export {
  auditSigningKey,
  auditSigningRecord,
  GENERATED_FILES,
  prepareDataDirectory,
  registrationSecret,
  SECRET_FILE,
} from './data-directory.ts';
export { brokerAccess, databaseAccess } from './engine-access.ts';
export { type Engines, openEngines, reportTo } from './engines.ts';
export { openTls } from './files/open-tls.ts';
export { firstAdministrator } from './first-administrator.ts';
export { fromStore } from './from-store.ts';
export { peerInterceptors, serverInterceptors } from './interceptors.ts';
export { makePrivate } from './make-private.ts';
export { openPeer, type Peer } from './open-peer.ts';
export {
  openEmbeddedStore,
  RESTORE_MARKER,
  refuseUnfinished,
  STORE_FILE,
  UNFINISHED_STORE_FILE,
} from './open-store.ts';
export { announceProcess } from './processes/announce-process.ts';
export { describeProcess } from './processes/describe-process.ts';
export { noProcesses, onlyProcess, openProcesses, type Processes } from './processes/stored-processes.ts';
export { readIdentity } from './read-identity.ts';
export { answerProbe, PROBE_PATHS } from './readiness/answer-probe.ts';
export { checkBroker, checkDisk, checkPeers, checkStore } from './readiness/checks.ts';
export { type Check, createReadiness, type Readiness } from './readiness/readiness.ts';
export { RELEASE } from './release.ts';
export { type ProcessContext, type RunningProcess, runProcess } from './run-process.ts';
export { sayMigrations } from './say-progress.ts';
export { serveClients } from './serve-clients.ts';
export { type Probes, serveProbes } from './serve-probes.ts';
export { type ServableService, serveService } from './serve-service.ts';
