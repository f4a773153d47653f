import { Textarea } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { cleanText } from '../../ui/input/clean-text.ts';
import { OrderButton } from '../../ui/order/order-button.tsx';
import { HashOptionsFields, optionParams, USUAL_OPTIONS } from './hash-options.tsx';

const HASH = /^[0-9a-f]{64}$/i;
const MAX_HASHES = 1_000;

interface AddHashesButtonProps {
  /** The hash of a medium that is to be listed; any may be typed when unset. */
  readonly sha256?: string | undefined;
  readonly text?: string | undefined;
}

/** Adds hashes to the list of known-bad content. */
export function AddHashesButton({ sha256, text }: AddHashesButtonProps) {
  const { t } = useTranslation('media');
  const [typed, setTyped] = useState('');
  const [options, setOptions] = useState(USUAL_OPTIONS);
  const hashes = (sha256 ?? typed)
    .split('\n')
    .map(cleanText)
    .filter((line) => line !== '');
  const wrong = hashes.findIndex((hash) => !HASH.test(hash));
  const problem =
    wrong >= 0
      ? t('hashes.list_wrong', { line: wrong + 1 })
      : hashes.length > MAX_HASHES
        ? t('hashes.list_many', { max: MAX_HASHES })
        : undefined;
  const ready = hashes.length > 0 && problem === undefined;
  return (
    <OrderButton
      operation="mediaHashes.add"
      title={text ?? t('hashes.add')}
      consequences={[
        t('hashes.add_effect'),
        t('hashes.add_effect_known'),
        ...(options.apply_to_existing ? [t('quarantine.effect_bytes')] : []),
      ]}
      params={ready ? { sha256: hashes, ...optionParams(options) } : undefined}
      onDone={({ added, updated }) => {
        setTyped('');
        setOptions(USUAL_OPTIONS);
        notifications.show({ message: t('hashes.added_result', { added, updated }), color: 'green' });
      }}
    >
      <Textarea
        label={t('hashes.list')}
        rows={4}
        spellCheck={false}
        readOnly={sha256 !== undefined}
        value={sha256 ?? typed}
        error={problem}
        onChange={(event) => setTyped(event.currentTarget.value)}
        styles={{ input: { fontFamily: 'monospace' } }}
      />
      <HashOptionsFields options={options} onChange={setOptions} />
    </OrderButton>
  );
}
