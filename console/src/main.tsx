import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { takeLinkedToken } from './view.ts';

const linked = takeLinkedToken();
const root = document.getElementById('root');
if (root === null) throw new Error('The page has no #root.');
createRoot(root).render(
  <StrictMode>
    <App linked={linked} />
  </StrictMode>,
);
