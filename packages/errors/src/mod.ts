/** Refusals: the catalogue, and their way through Connect and into JSON. */
export {
  type InteractiveChallenge,
  interactiveAuth,
  limitExceeded,
  monthlyUsersExceeded,
  refuse,
  wrongKeyBackup,
} from './catalogue.ts';
export { type Json, type Refusal, toBody, toConnectError, toRefusal } from './refusal.ts';
