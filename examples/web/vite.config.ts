import react from '@vitejs/plugin-react';
import { defineConfig, loadEnv } from 'vite';

/**
 * The page, `/graphql` and the session have the same origin, so a browser sends no preflight. `GATEWAY_URL` and
 * `ISSUER_URL` are set by `local/start.ts`.
 */
export default defineConfig(({ mode }) => {
  const { GATEWAY_URL, ISSUER_URL } = loadEnv(mode, '.', ['GATEWAY_', 'ISSUER_']);
  const proxy = {
    ...(GATEWAY_URL && { '/graphql': new URL(GATEWAY_URL).origin }),
    ...(ISSUER_URL && { '/session': new URL(ISSUER_URL).origin }),
  };
  return { plugins: [react()], server: { host: '127.0.0.1', proxy } };
});
