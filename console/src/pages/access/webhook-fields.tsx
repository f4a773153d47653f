import { TagsInput, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { cleanText } from '../../ui/input/clean-text.ts';
import { IdInput } from '../../ui/input/id-input.tsx';
import { EVENT_TYPES } from './event-types.ts';
import { LinesField } from './lines-field.tsx';

/** The fields of the form of a webhook. */
export interface WebhookDraft {
  readonly url: string;
  readonly description: string;
  readonly types: readonly string[];
  /** One id a line. */
  readonly targets: string;
}

interface WebhookFieldsProps {
  readonly draft: WebhookDraft;
  readonly onChange: (fields: Partial<WebhookDraft>) => void;
}

const MAX_URL = 2_048;
const MAX_DESCRIPTION = 256;

/** Asks for the receiver of a webhook, and which events it gets. */
export function WebhookFields({ draft, onChange }: WebhookFieldsProps) {
  const { t } = useTranslation('access');
  const { url, description, types, targets } = draft;
  return (
    <>
      <IdInput
        label="URL"
        description={t('url_hint')}
        value={url}
        onValue={(value) => onChange({ url: value })}
        error={url !== '' && !isUrl(url) ? t('url_wrong') : undefined}
        maxLength={MAX_URL}
        required
        data-autofocus
      />
      <TextInput
        label={t('description')}
        value={description}
        onChange={(event) => onChange({ description: event.currentTarget.value })}
        maxLength={MAX_DESCRIPTION}
      />
      <TagsInput
        label={t('types')}
        description={t('types_hint')}
        data={[...EVENT_TYPES]}
        value={[...types]}
        onChange={(next) => onChange({ types: next.map(cleanText).filter((type) => type !== '') })}
        acceptValueOnBlur
        comboboxProps={{ withinPortal: true, zIndex: 500 }}
      />
      <LinesField
        label={t('webhook_targets')}
        description={t('webhook_targets_hint')}
        value={targets}
        onChange={(next) => onChange({ targets: next })}
      />
    </>
  );
}

/** Whether a text is a URL to which messages can be sent. */
export function isUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
