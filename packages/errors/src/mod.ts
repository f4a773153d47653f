/** Refusals: the catalogue, and their conversion to Connect errors and to JSON. */
export {
  awaitingApproval,
  type InteractiveChallenge,
  interactiveAuth,
  limitExceeded,
  monthlyUsersExceeded,
  refuse,
  wrongKeyBackup,
} from './catalogue.ts';
export { type Json, type Refusal, toBody, toConnectError, toRefusal } from './refusal.ts';
