import { defineConfig } from 'vite'

/** The dashboard: src/dashboard, built into dist/dashboard and served by src/http/dashboard.ts. */
export default defineConfig({
  root: 'src/dashboard',
  // Relative, so that one build serves below any base path; the server makes the page's own
  // addresses absolute.
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../../dist/dashboard',
    emptyOutDir: true,
    target: 'es2022',
    // The policy of the page allows images from data: alone, and a file is cached better.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
  },
})
