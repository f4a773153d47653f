/**
 * Why a sign-in with an identity provider fails:
 *
 * - `unreachable`: the provider does not answer, or with an error of its own
 * - `slow`: it does not answer in time
 * - `lying`: its answer contradicts the request, the protocol or its keys
 * - `refused`: it does not accept the code of the sign-in, because it was used before or is too old
 * - `claims`: it says too little, or something else than required, about the user
 */
export type ProviderFailureReason = 'unreachable' | 'slow' | 'lying' | 'refused' | 'claims';

/** A sign-in fails because of the identity provider. The message is for the log; it contains no code, token or claim. */
export class ProviderFailure extends Error {
  readonly reason: ProviderFailureReason;

  constructor(reason: ProviderFailureReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
