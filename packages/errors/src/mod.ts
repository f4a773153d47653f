/** Refusals: the catalogue, and their conversion to Connect errors and to JSON. */
export {
  actionInProgress,
  alreadyDone,
  awaitingApproval,
  doneTargets,
  type InteractiveChallenge,
  insufficientStorage,
  interactiveAuth,
  limitExceeded,
  monthlyUsersExceeded,
  positionGone,
  quotaExceeded,
  refuse,
  refuseWithCase,
  stepUpRequired,
  wrongKeyBackup,
} from './catalogue.ts';
export { type Json, type Refusal, toBody, toConnectError, toRefusal } from './refusal.ts';
