import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import './styles/tokens.css';
import './styles/controls.css';
import './styles/shell.css';
import './styles/sign-in.css';
import './styles/inbox.css';
import './styles/card.css';
import './styles/history.css';

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
