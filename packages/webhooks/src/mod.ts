/** What webhooks and pushers need and no store: secrets, signatures, which addresses may be reached, and requests to these only. */
export { type AddressRules, parseAddressRules } from './address-rules.ts';
export { checkUrl } from './check-url.ts';
export { type FailureReason, isAccepted, type Outcome, pauseAsked } from './outcome.ts';
export { pauseBefore } from './retry-schedule.ts';
export { createSecret, parseSecret } from './secret.ts';
export { createSender, type Sender, type SenderOptions, type WebhookRequest } from './sender.ts';
export { type SignedMessage, signatureHeaders } from './signature.ts';
