import { Anchor, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { type PasskeyAssertion, StewardError } from '@steward/sdk';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { client } from '../client/client.ts';
import { useFormat } from '../i18n/use-format.ts';
import { ErrorNotice } from '../ui/errors/error-notice.tsx';
import { cleanText } from '../ui/input/clean-text.ts';
import { IdInput } from '../ui/input/id-input.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { signInRefusalOf } from './sign-in-refusal.ts';
import { PASSKEY, stagesOf, TOTP } from './stages.ts';

interface CredentialsFormProps {
  /** The account, where it is known. */
  readonly user?: string | undefined;
  readonly onSignedIn: () => Promise<void>;
  readonly children?: ReactNode;
}

const SHORTEST_PAUSE_MS = 1_000;
const STEP_UP = 'STEWARD_STEP_UP_REQUIRED';

/** Starts an administrator session with a password and, if the account has one, the second factor. */
export function CredentialsForm({ user: fixed, onSignedIn, children }: CredentialsFormProps) {
  const { t } = useTranslation('session');
  const [user, setUser] = useState(fixed ?? '');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [stages, setStages] = useState<readonly string[]>([]);
  const [recovery, setRecovery] = useState(false);
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<unknown>();

  async function signIn(passkey?: PasskeyAssertion) {
    setPending(true);
    setError(undefined);
    const byCode = code === '' ? {} : recovery ? { recovery_code: code } : { totp: code };
    const factor = passkey === undefined ? byCode : { passkey };
    try {
      await client.sessions.create({ user, password, ...factor });
      await onSignedIn();
    } catch (refusal) {
      if (refusal instanceof StewardError && refusal.errcode === STEP_UP) setStages(stagesOf(refusal));
      else setError(refusal);
    } finally {
      setPending(false);
    }
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void signIn();
      }}
    >
      <Stack>
        <IdInput
          label={t('user')}
          value={user}
          onValue={setUser}
          autoComplete="username"
          readOnly={fixed !== undefined}
          required
          data-autofocus={fixed === undefined || undefined}
        />
        <PasswordInput
          label={t('password')}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          autoComplete="current-password"
          required
          data-autofocus={fixed !== undefined || undefined}
        />
        {stages.includes(TOTP) && (
          <CodeInput recovery={recovery} code={code} onCode={setCode} onKind={setRecovery} />
        )}
        {stages.includes(PASSKEY) && (
          <PasskeyButton
            text={t('with_own_passkey')}
            purpose="sign-in"
            onProved={signIn}
            onRefused={setError}
          />
        )}
        {error !== undefined && <SignInError error={error} />}
        <Button type="submit" loading={pending}>
          {t('submit')}
        </Button>
        {children}
      </Stack>
    </form>
  );
}

/** One sentence, with the codes for those who ask for help behind a detail. */
export function SignInError({ error }: { readonly error: unknown }) {
  const { t } = useTranslation(['session', 'common']);
  const format = useFormat();
  if (!(error instanceof StewardError)) return <ErrorNotice error={error} />;
  const sentence = signInRefusalOf(error);
  const time = format.duration(Math.max(error.retryAfterMs ?? 0, SHORTEST_PAUSE_MS));
  return <ErrorNotice error={error} explanation={t(sentence, { time })} />;
}

interface CodeInputProps {
  /** Whether a recovery code takes the place of the code of the app. */
  readonly recovery: boolean;
  readonly code: string;
  readonly onCode: (code: string) => void;
  readonly onKind: (recovery: boolean) => void;
}

/** Asks for the second factor. */
export function CodeInput({ recovery, code, onCode, onKind }: CodeInputProps) {
  const { t } = useTranslation('session');
  return (
    <Stack gap={4} align="flex-start">
      <TextInput
        w="100%"
        label={recovery ? t('recovery_code') : t('code')}
        value={code}
        // Apps show codes with a space in the middle.
        onChange={(event) => onCode(cleanText(event.currentTarget.value).replace(/\s/g, ''))}
        autoComplete="one-time-code"
        inputMode={recovery ? 'text' : 'numeric'}
        required
        autoFocus
      />
      <Anchor
        component="button"
        type="button"
        size="sm"
        onClick={() => {
          onKind(!recovery);
          onCode('');
        }}
      >
        {recovery ? t('use_code') : t('use_recovery_code')}
      </Anchor>
    </Stack>
  );
}
