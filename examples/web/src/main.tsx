import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import './app.css';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root.');
// The part of the address behind the number sign was never sent. It is removed from the address and the history.
const linkPassword = new URLSearchParams(location.hash.slice(1)).get('password') ?? '';
if (linkPassword !== '') history.replaceState(null, '', location.pathname);
createRoot(root).render(
  <StrictMode>
    <App linkPassword={linkPassword} />
  </StrictMode>,
);
