import react from '@vitejs/plugin-react';
import { defineConfig, loadEnv } from 'vite';

/** The page and `/graphql` have one origin, so a browser asks nobody's leave. `GATEWAY_URL`: where the gateway listens. */
export default defineConfig(({ mode }) => {
  const { GATEWAY_URL = 'http://127.0.0.1:4000' } = loadEnv(mode, '.', 'GATEWAY_');
  return { plugins: [react()], server: { host: '127.0.0.1', proxy: { '/graphql': new URL(GATEWAY_URL).origin } } };
});
