import { Alert, Paper, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOrder } from '../../api/use-order.ts';
import { IdText } from '../../ui/id-text.tsx';
import { IdInput } from '../../ui/input/id-input.tsx';
import { UserLink } from '../../ui/links.tsx';
import { OrderForm } from '../../ui/order/order-form.tsx';
import { Scrolling } from './scrolling.tsx';

const USER_ID = /^@[^:]*:.+$/;

interface Sent {
  readonly user: string;
  readonly event: string;
}

/** Sends server notices to users, one after the other. */
export function NoticeForm() {
  const { t } = useTranslation('access');
  const [sent, setSent] = useState<Sent>();
  const [form, setForm] = useState(1);
  return (
    <Scrolling label={t('tab_notices')}>
      <Paper withBorder p="md" maw={720}>
        {/* Anew for each notice, with a transaction of its own. */}
        <Notice
          key={form}
          onSent={(next) => {
            setSent(next);
            setForm((before) => before + 1);
          }}
          onCancel={() => setForm((before) => before + 1)}
        />
      </Paper>
      {sent !== undefined && (
        <Alert role="status" variant="outline" color="green" maw={720} title={t('notice_sent')}>
          <UserLink id={sent.user} /> <IdText id={sent.event} />
        </Alert>
      )}
    </Scrolling>
  );
}

interface NoticeProps {
  readonly onSent: (sent: Sent) => void;
  readonly onCancel: () => void;
}

function Notice({ onSent, onCancel }: NoticeProps) {
  const { t } = useTranslation('access');
  const order = useOrder('notices.put');
  // One for the form: what is sent again after a lost answer has one effect.
  const [transaction] = useState(newTransaction);
  const [user, setUser] = useState('');
  const [text, setText] = useState('');
  const valid = USER_ID.test(user);
  return (
    <OrderForm
      order={order}
      params={
        valid && text.trim() !== ''
          ? { txn_id: transaction, user_id: user, content: { msgtype: 'm.text', body: text } }
          : undefined
      }
      consequences={[t('notice_effect'), t('notice_once')]}
      label={t('send_notice')}
      onCancel={onCancel}
      onDone={({ event_id: event }) => onSent({ user, event })}
    >
      <IdInput
        label={t('notice_user')}
        placeholder="@alice:example.org"
        value={user}
        onValue={setUser}
        error={user !== '' && !valid ? t('user_id_wrong') : undefined}
        required
      />
      <Textarea
        label={t('notice_text')}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        autosize
        minRows={4}
        maxRows={14}
        required
      />
    </OrderForm>
  );
}

/** An id that no other form has. Unlike `crypto.randomUUID` it also works over plain HTTP. */
function newTransaction(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}
