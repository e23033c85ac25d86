import './component-styles.css';
import '@mantine/notifications/styles.css';
import './styles.css';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { preferredLanguage } from './language/preferences.ts';
import { loadTexts } from './language/texts.ts';

void begin();

/** A function, because the build splits an entry with a top-level await into about sixty files. */
async function begin(): Promise<void> {
  const root = document.getElementById('root');
  if (root === null) throw new Error('index.html has no element #root.');
  await loadTexts(preferredLanguage());
  createRoot(root).render(<App />);
}
