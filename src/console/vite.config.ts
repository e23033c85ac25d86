import { fileURLToPath } from 'node:url';
import { constants } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compression, defineAlgorithm } from 'vite-plugin-compression2';

/** The best quality, 11, takes 4.5 s of the processor instead of 0.3 s, and saves a sixteenth. */
const brotli = defineAlgorithm('brotliCompress', { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Where the service runs beside the development server. */
const service = `http://127.0.0.1:${process.env['PORT'] || 8080}`;

/** Builds the console into files that the service serves below `/console`: `vite build --config src/console/vite.config.ts`. */
export default defineConfig({
  root: at('.'),
  base: '/console/',
  publicDir: 'public',
  plugins: [react(), compression({ threshold: 512, exclude: /\.woff2$/, algorithms: ['gzip', brotli] })],
  build: {
    outDir: at('../../dist/console'),
    emptyOutDir: true,
    // Inlined as data: addresses, small files would need an exception in the policy of the page.
    assetsInlineLimit: 0,
    // The first that know CSS's light-dark(); older ones would need other style sheets.
    target: ['chrome123', 'firefox121', 'safari17.5'],
    // The test of the page's size judges; a warning in every start would only be noise.
    chunkSizeWarningLimit: 1_000,
    reportCompressedSize: false,
  },
  server: {
    // For `npm run dev`. A request for no file of the console is a call of the service.
    host: '127.0.0.1',
    proxy: Object.fromEntries(['^/laurel\\.', '^/admin/'].map((path) => [path, service])),
    fs: { allow: [at('../..')] },
  },
});
