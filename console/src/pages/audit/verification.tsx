import { Alert, Button, Group, Loader, Stack, Text, Title } from '@mantine/core';
import { ShieldAlert, ShieldCheck, ShieldQuestion } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../i18n/use-format.ts';
import { ErrorNotice } from '../../ui/errors/error-notice.tsx';
import { Fields } from '../../ui/fields.tsx';
import { IdText } from '../../ui/id-text.tsx';
import { TextLink } from '../../ui/link.tsx';
import { type Findings, useVerification } from './use-verification.ts';

/** Verifies the hash chain and the signatures of the checkpoints, and says whether they are intact. */
export function Verification() {
  const { t } = useTranslation('audit');
  const format = useFormat();
  const { running, findings, error, start, stop } = useVerification();
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        {t('verify_title')}
      </Title>
      <Text size="sm">{t('verify_hint')}</Text>
      <Group>
        {running ? (
          <Button size="xs" variant="default" onClick={stop}>
            {t('verify_stop')}
          </Button>
        ) : (
          <Button size="xs" onClick={start} leftSection={<ShieldQuestion size={16} aria-hidden />}>
            {findings === undefined ? t('verify') : t('verify_again')}
          </Button>
        )}
        {running && (
          <Group gap="xs" role="status">
            <Loader size="xs" aria-hidden />
            <Text size="sm">{t('verifying', { entries: format.number(findings?.entries ?? 0) })}</Text>
          </Group>
        )}
      </Group>
      {error !== undefined && <ErrorNotice error={error} onRetry={start} />}
      {findings !== undefined && !running && <Result findings={findings} />}
    </Stack>
  );
}

function Result({ findings }: { readonly findings: Findings }) {
  const { t } = useTranslation('audit');
  const format = useFormat();
  const { entries, first, last, hash, checkpoints, signed, unchained, fault, complete } = findings;
  const number = (value: number | null) => (value === null ? '–' : format.number(value));
  return (
    <Alert
      role="status"
      variant="outline"
      color={fault !== null ? 'red' : complete ? 'green' : 'orange'}
      icon={fault !== null ? <ShieldAlert aria-hidden /> : <ShieldCheck aria-hidden />}
      title={fault !== null ? t('broken') : complete ? t('intact') : t('stopped')}
    >
      <Stack gap="xs">
        {fault !== null && (
          <>
            <Text size="sm">{t(faultKeyOf(fault.kind))}</Text>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              <bdi>{fault.message}</bdi>
            </Text>
          </>
        )}
        <Fields
          fields={[
            ...(fault === null
              ? []
              : ([
                  [t('fault_kind'), fault.kind],
                  [t('fault_number'), format.number(fault.number)],
                  [
                    t('fault_entry'),
                    fault.id === null ? (
                      t('fault_no_entry')
                    ) : (
                      <TextLink key="entry" to="/audit" search={{ entry: fault.id }}>
                        <bdi>{fault.id}</bdi>
                      </TextLink>
                    ),
                  ],
                ] as const)),
            [t('checked_entries'), format.number(entries)],
            [t('checked_numbers'), `${number(first)} – ${number(last)}`],
            [
              t('checked_checkpoints'),
              t('checked_signed', { checkpoints: format.number(checkpoints), signed: format.number(signed) }),
            ],
            ...(hash === null ? [] : ([[t('last_hash'), <IdText key="hash" id={hash} />]] as const)),
            ...(unchained === 0 ? [] : ([[t('unchained'), format.number(unchained)]] as const)),
          ]}
        />
        {fault === null && complete && signed < checkpoints && <Text size="sm">{t('unsigned_hint')}</Text>}
      </Stack>
    </Alert>
  );
}

const FAULTS = [
  'entry_changed',
  'entry_missing',
  'entry_duplicated',
  'entry_appended',
  'head_missing',
  'head_changed',
  'checkpoint_changed',
  'checkpoint_missing',
  'signature_invalid',
  'signature_missing',
  'key_unknown',
] as const;

function faultKeyOf(kind: string) {
  const known = FAULTS.find((each) => each === kind);
  return known === undefined ? ('fault_unlisted' as const) : (`fault_${known}` as const);
}
