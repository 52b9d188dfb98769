import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { ISSUER_ANSWER, readIssuer } from './issuer.ts';
import { takeFromFragment, takeLinkedToken } from './linked-token.ts';

const start = { linked: takeLinkedToken(), issuer: readIssuer(), answer: takeFromFragment(ISSUER_ANSWER) };
const root = document.getElementById('root');
if (root === null) throw new Error('The page has no #root.');
createRoot(root).render(
  <StrictMode>
    <App start={start} />
  </StrictMode>,
);
