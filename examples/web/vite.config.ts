import react from '@vitejs/plugin-react';
import { defineConfig, loadEnv } from 'vite';

/**
 * The page and `/graphql` have the same origin, so a browser sends no preflight. `GATEWAY_URL` is the URL of the
 * gateway.
 */
export default defineConfig(({ mode }) => {
  const { GATEWAY_URL = 'http://127.0.0.1:4000' } = loadEnv(mode, '.', 'GATEWAY_');
  return { plugins: [react()], server: { host: '127.0.0.1', proxy: { '/graphql': new URL(GATEWAY_URL).origin } } };
});
