import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './app/styles.css';
import { setNonce } from 'get-nonce';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { reloadAfterUpgrade } from './app/reload-after-upgrade.ts';
import { startTranslation } from './i18n/i18n.ts';
import { providerAnswer } from './session/provider-answer.ts';
import { session } from './session/session.ts';

const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';
// Dialogs add a style of their own.
setNonce(nonce);

const root = document.getElementById('root');
if (root) {
  providerAnswer.receive();
  reloadAfterUpgrade();
  void session.load();
  void startTranslation().then(() => createRoot(root).render(<App nonce={nonce} />));
}
