import { Alert, Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { type PasskeyAssertion, StewardError } from '@steward/sdk';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { client } from '../client/client.ts';
import { type Proof, proofs } from '../session/proofs.ts';
import { providerAnswer } from '../session/provider-answer.ts';
import { session } from '../session/session.ts';
import { ErrorNotice } from '../ui/errors/error-notice.tsx';
import { CodeInput } from './credentials-form.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { PASSKEY, PASSWORD, SSO, stagesOf, TOTP } from './stages.ts';

const FORBIDDEN = new Set([401, 403]);

/** Asks the user to prove again who they are, when an order needs it; the order is then given. */
export function StepUpDialog() {
  const { t } = useTranslation(['session', 'common']);
  const proof = useSyncExternalStore(proofs.subscribe, proofs.get);
  return (
    <Modal
      opened={proof !== undefined}
      onClose={() => proof?.refused()}
      title={t('step_up_title')}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('common:order.close') }}
      zIndex={390}
    >
      {proof !== undefined && <StepUpForm proof={proof} />}
    </Modal>
  );
}

function StepUpForm({ proof }: { readonly proof: Proof }) {
  const { t } = useTranslation(['session', 'common']);
  const stages = stagesOf(proof);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [recovery, setRecovery] = useState(false);
  const [loginToken, setLoginToken] = useState<string>();
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<unknown>();
  const wrong = error instanceof StewardError && FORBIDDEN.has(error.status);

  async function prove(token = loginToken, passkey?: PasskeyAssertion) {
    setPending(true);
    setError(undefined);
    try {
      await client.sessions.stepUp({
        ...(passkey === undefined ? {} : { passkey }),
        ...(stages.includes(PASSWORD) && (passkey === undefined || password !== '') ? { password } : {}),
        ...(token === undefined ? {} : { login_token: token }),
        ...(stages.includes(TOTP) && passkey === undefined
          ? recovery
            ? { recovery_code: code }
            : { totp: code }
          : {}),
      });
      proof.given();
      void session.refresh();
    } catch (refusal) {
      setError(refusal);
      setLoginToken(undefined);
      setPending(false);
    }
  }

  const needsMore =
    (stages.includes(SSO) && loginToken === undefined) ||
    (stages.includes(PASSKEY) && !stages.includes(TOTP));

  if (stages.length === 0) return <Text>{t('session:no_proof')}</Text>;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void prove();
      }}
    >
      <Stack>
        <Text>{t('session:step_up')}</Text>
        {stages.includes(PASSWORD) && (
          <PasswordInput
            label={t('session:password')}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            autoComplete="current-password"
            required
            data-autofocus
          />
        )}
        {stages.includes(SSO) && loginToken === undefined && (
          <AskProvider
            onToken={(token) => {
              setLoginToken(token);
              // Nothing else is to be asked.
              if (!stages.includes(TOTP)) void prove(token);
            }}
          />
        )}
        {stages.includes(TOTP) && (
          <CodeInput recovery={recovery} code={code} onCode={setCode} onKind={setRecovery} />
        )}
        {stages.includes(PASSKEY) && (
          <PasskeyButton
            text={t('session:with_own_passkey')}
            purpose="step-up"
            onProved={(passkey) => prove(loginToken, passkey)}
            onRefused={setError}
          />
        )}
        {wrong && (
          <Alert role="alert" color="red" variant="outline">
            {t('session:wrong')}
          </Alert>
        )}
        {error !== undefined && !wrong && <ErrorNotice error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={proof.refused}>
            {t('common:order.cancel')}
          </Button>
          <Button type="submit" loading={pending} disabled={needsMore}>
            {t('session:continue')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Lets the user prove their identity at the provider of the session, in another tab. */
function AskProvider({ onToken }: { readonly onToken: (token: string) => void }) {
  const { t } = useTranslation('session');
  const latest = useRef(onToken);
  latest.current = onToken;
  useEffect(() => providerAnswer.listen((token) => latest.current(token)), []);

  async function ask() {
    const { session: own } = await client.sessions.get({});
    if (own?.provider !== undefined) providerAnswer.beginStepUp(own.provider);
  }

  return (
    <Stack gap="xs">
      <Text size="sm">{t('provider_tab')}</Text>
      <Button variant="default" onClick={() => void ask()}>
        {t('provider_prove')}
      </Button>
    </Stack>
  );
}
