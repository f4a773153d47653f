import { Anchor, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import type { BeginTotpResponse } from '@steward/sdk';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOrder } from '../../api/use-order.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { IdText } from '../../ui/id-text.tsx';
import { cleanText } from '../../ui/input/clean-text.ts';
import { OrderButton } from '../../ui/order/order-button.tsx';
import { OrderForm } from '../../ui/order/order-form.tsx';
import { QrCode } from './qr-code.tsx';
import { useCodeRefusal } from './use-code-refusal.ts';

interface EnrolmentProps {
  /** The time of the server. */
  readonly serverTs: number;
  /** Receives the recovery codes, which are shown once. */
  readonly onCodes: (codes: readonly string[]) => void;
}

const SCHEME = 'otpauth:';

/** Sets the second factor up: a key for the app, then a code that shows that the app has it. */
export function Enrolment({ serverTs, onCodes }: EnrolmentProps) {
  const { t } = useTranslation(['session', 'common']);
  const [begun, setBegun] = useState<BeginTotpResponse>();
  const close = () => setBegun(undefined);
  return (
    <>
      <OrderButton
        operation="secondFactor.beginTotp"
        title={t('enrol_title')}
        text={t('enrol')}
        label={t('continue')}
        consequences={[t('enrol_effect')]}
        params={{}}
        done={t('enrol_begun')}
        onDone={setBegun}
        button={{ variant: 'filled' }}
      />
      <Modal
        opened={begun !== undefined}
        onClose={close}
        title={t('enrol_title')}
        size="lg"
        closeOnClickOutside={false}
        closeButtonProps={{ 'aria-label': t('common:order.close') }}
      >
        {begun !== undefined && (
          <Confirmation
            begun={begun}
            serverTs={serverTs}
            onCancel={close}
            onCodes={(codes) => {
              close();
              onCodes(codes);
            }}
          />
        )}
      </Modal>
    </>
  );
}

interface ConfirmationProps extends EnrolmentProps {
  readonly begun: BeginTotpResponse;
  readonly onCancel: () => void;
}

function Confirmation({ begun, serverTs, onCancel, onCodes }: ConfirmationProps) {
  const { secret, uri, expires_ts: expires } = begun;
  const { t } = useTranslation('session');
  const format = useFormat();
  const order = useOrder('secondFactor.confirmTotp');
  const explain = useCodeRefusal(serverTs);
  const [code, setCode] = useState('');
  return (
    <OrderForm
      order={order}
      params={code.trim() === '' ? undefined : { totp: code }}
      consequences={[]}
      label={t('enrol_confirm')}
      explain={explain}
      onCancel={onCancel}
      onDone={({ recovery_codes: codes }) => onCodes(codes)}
    >
      <Text>{t('enrol_scan')}</Text>
      <Group align="center" justify="center" gap="lg">
        <QrCode text={uri} label={t('enrol_qr')} />
        <Stack gap="xs" style={{ flex: '1 1 220px', minWidth: 0 }}>
          <Text size="sm" c="dimmed">
            {t('enrol_key')}
          </Text>
          <IdText id={secret} />
          {uri.startsWith(SCHEME) && (
            <Anchor href={uri} size="sm">
              {t('enrol_link')}
            </Anchor>
          )}
          <Text size="sm">{t('enrol_until', { time: format.relative(expires) })}</Text>
        </Stack>
      </Group>
      <TextInput
        label={t('enrol_code')}
        value={code}
        onChange={(event) => setCode(cleanText(event.currentTarget.value).replace(/\s/g, ''))}
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        data-autofocus
      />
    </OrderForm>
  );
}
