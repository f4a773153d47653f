import { Checkbox, Radio, Stack, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { cleanText } from '../../ui/input/clean-text.ts';

/** The options of hashes of known-bad content. */
export interface HashOptions {
  readonly action: 'refuse' | 'quarantine';
  readonly open_report: boolean;
  readonly source: string;
  readonly note: string;
  readonly apply_to_existing: boolean;
}

/** The options of hashes by default. */
export const USUAL_OPTIONS: HashOptions = {
  action: 'quarantine',
  open_report: false,
  source: '',
  note: '',
  apply_to_existing: false,
};

const MAX_SOURCE = 100;
const MAX_NOTE = 500;

/** The parameters of the API for options. */
export function optionParams({ source, note, ...others }: HashOptions) {
  return {
    ...others,
    ...(cleanText(source) === '' ? {} : { source: cleanText(source) }),
    ...(note.trim() === '' ? {} : { note: note.trim() }),
  };
}

interface HashOptionsFieldsProps {
  readonly options: HashOptions;
  readonly onChange: (options: HashOptions) => void;
}

/** The fields for what is said of hashes. */
export function HashOptionsFields({ options, onChange }: HashOptionsFieldsProps) {
  const { t } = useTranslation('media');
  const change = (next: Partial<HashOptions>) => onChange({ ...options, ...next });
  return (
    <Stack gap="sm">
      <Radio.Group
        label={t('hashes.what')}
        value={options.action}
        onChange={(action) => change({ action: action as HashOptions['action'] })}
      >
        <Stack gap={6} mt={6}>
          <Radio value="quarantine" label={t('hashes.quarantine_long')} />
          <Radio value="refuse" label={t('hashes.refuse_long')} />
        </Stack>
      </Radio.Group>
      <Checkbox
        label={t('hashes.report')}
        checked={options.open_report}
        onChange={(event) => change({ open_report: event.currentTarget.checked })}
      />
      <Checkbox
        label={t('hashes.existing')}
        checked={options.apply_to_existing}
        onChange={(event) => change({ apply_to_existing: event.currentTarget.checked })}
      />
      <TextInput
        label={t('hashes.source')}
        description={t('hashes.source_hint')}
        maxLength={MAX_SOURCE}
        value={options.source}
        onChange={(event) => change({ source: event.currentTarget.value })}
      />
      <TextInput
        label={t('hashes.note')}
        maxLength={MAX_NOTE}
        value={options.note}
        onChange={(event) => change({ note: event.currentTarget.value })}
      />
    </Stack>
  );
}
