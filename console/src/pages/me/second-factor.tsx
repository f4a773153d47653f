import { Badge, Group, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../api/use-read.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { CodeInput } from '../../sign-in/credentials-form.tsx';
import { OrderButton } from '../../ui/order/order-button.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { SecretDialog } from '../../ui/secret-dialog.tsx';
import { Enrolment } from './enrolment.tsx';
import { useCodeRefusal } from './use-code-refusal.ts';

interface SecondFactorProps {
  /** Called once the user has closed the recovery codes. */
  readonly onCodesSeen?: (() => void) | undefined;
}

/** The second factor of the account: whether there is one, and its set-up, renewal and removal. */
export function SecondFactor({ onCodesSeen }: SecondFactorProps) {
  const { t } = useTranslation('session');
  const format = useFormat();
  const query = useRead('secondFactor.getTotp', {});
  const [codes, setCodes] = useState<readonly string[]>();
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        {t('factor')}
      </Title>
      <QueryState query={query} operation="secondFactor.getTotp">
        {({ enabled, confirmed_ts: confirmed, recovery_codes_left: left, server_ts: serverTs }) => (
          <Stack gap="sm" align="flex-start">
            <Group gap="sm" align="baseline">
              <Badge variant="outline" tt="none" color={enabled ? 'green' : 'gray'}>
                {enabled ? 'TOTP' : '–'}
              </Badge>
              <Text>
                {enabled
                  ? t('factor_on', {
                      time: confirmed === null ? '' : format.dateTime(confirmed),
                      left: format.number(left),
                    })
                  : t('factor_off')}
              </Text>
            </Group>
            {enabled ? (
              <Group gap="xs">
                <ByCode kind="renew" serverTs={serverTs} onCodes={setCodes} />
                <ByCode kind="remove" serverTs={serverTs} onCodes={setCodes} />
              </Group>
            ) : (
              <Enrolment serverTs={serverTs} onCodes={setCodes} />
            )}
          </Stack>
        )}
      </QueryState>
      <SecretDialog
        title={t('recovery_codes')}
        hint={t('recovery_codes_hint')}
        secrets={codes}
        onClose={() => {
          setCodes(undefined);
          onCodesSeen?.();
        }}
      />
    </Stack>
  );
}

interface ByCodeProps {
  readonly kind: 'renew' | 'remove';
  /** The time of the server, for an app whose codes are refused. */
  readonly serverTs: number;
  readonly onCodes: (codes: readonly string[]) => void;
}

/** A change of the second factor, which needs a code. */
function ByCode({ kind, serverTs, onCodes }: ByCodeProps) {
  const { t } = useTranslation('session');
  const explain = useCodeRefusal(serverTs);
  const [code, setCode] = useState('');
  const [recovery, setRecovery] = useState(false);
  const params = code.trim() === '' ? undefined : recovery ? { recovery_code: code } : { totp: code };
  const fields = <CodeInput recovery={recovery} code={code} onCode={setCode} onKind={setRecovery} />;
  const forget = () => {
    setCode('');
    setRecovery(false);
  };
  if (kind === 'renew') {
    return (
      <OrderButton
        operation="secondFactor.renewRecoveryCodes"
        title={t('renew')}
        consequences={[t('renew_effect')]}
        params={params}
        explain={explain}
        onDone={({ recovery_codes: codes }) => onCodes(codes)}
        onClosed={forget}
      >
        {fields}
      </OrderButton>
    );
  }
  return (
    <OrderButton
      operation="secondFactor.removeTotp"
      title={t('remove_title')}
      text={t('remove')}
      consequences={[t('remove_effect')]}
      params={params}
      explain={explain}
      onClosed={forget}
      danger
    >
      {fields}
    </OrderButton>
  );
}
