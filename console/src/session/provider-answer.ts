/** With what the address of the console begins when an identity provider has answered, see `consolePath` of the user service. */
const ANSWER = /^#(sign-in|step-up)=([\w-]+)$/;
const RETURN_TO = 'steward.return-to';
const CHANNEL = 'steward-step-up';

let loginToken: string | undefined;

/** What identity providers answer: login tokens in the address, once. */
export const providerAnswer = {
  /**
   * Reads the address before anything is shown, and removes the token from it. After a sign-in the address is the one at which it began;
   * the token of a step-up goes to the tab that waits for it.
   */
  receive(): void {
    const [, kind, token] = ANSWER.exec(window.location.hash) ?? [];
    if (token === undefined) return;
    const { pathname } = window.location;
    if (kind === 'sign-in') {
      loginToken = token;
      window.history.replaceState(null, '', sessionStorage.getItem(RETURN_TO) ?? pathname);
      sessionStorage.removeItem(RETURN_TO);
      return;
    }
    window.history.replaceState(null, '', pathname);
    const channel = new BroadcastChannel(CHANNEL);
    channel.postMessage(token);
    channel.close();
    window.close();
  },

  /** The login token of a sign-in, for the page that begins the session. */
  token: (): string | undefined => loginToken,

  /** Forgets the login token, which counts once. */
  forget(): void {
    loginToken = undefined;
  },

  /** The address at which a sign-in begins, after which the browser comes back to this page. */
  begin(provider: string): void {
    const { pathname, search } = window.location;
    sessionStorage.setItem(RETURN_TO, pathname + search);
    window.location.assign(startOf(provider));
  },

  /** Lets the user prove their identity again, in another tab: what is on the page stays. */
  beginStepUp(provider: string): void {
    window.open(`${startOf(provider)}?step_up=true`, '_blank', 'noopener');
  },

  /** Calls `onToken` with the login token of a step-up; returns how to stop. */
  listen(onToken: (token: string) => void): () => void {
    const channel = new BroadcastChannel(CHANNEL);
    channel.addEventListener('message', ({ data }: MessageEvent<string>) => onToken(data));
    return () => channel.close();
  },
};

function startOf(provider: string): string {
  return `/_service/admin/v1/session/oidc/${provider}`;
}
