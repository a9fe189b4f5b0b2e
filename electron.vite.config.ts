import { join } from 'node:path'
import { defineConfig } from 'electron-vite'
import type { RendererViteConfig } from 'electron-vite'
import react from '@vitejs/plugin-react'
import { nodeTarget, versionConstant } from './vite.shared.ts'
import { root } from './scripts/lib/paths.mjs'

/**
 * The page uses absolute paths, so that the same files work for `app://` and the browser host, at
 * any route depth.
 */
const absolutePaths = { name: 'keydesk:absolute-paths', config: () => ({ base: '/' }) }

/**
 * What several pages use, in one file. In forty small ones it delayed the first page by a sixth.
 * Charts stay with the few pages that draw them.
 */
const sharedCode = {
  name: 'shared',
  test: new RegExp(
    [
      'src/renderer/(?:ui|lib)/(?!charts)',
      'src/contract',
      '/server/api',
      '@(?:mantine|tabler|orpc|tanstack|floating-ui|formatjs)/',
      'node_modules/(?:zod|intl-messageformat)/',
    ]
      .join('|')
      .replaceAll('/', String.raw`[\\/]`),
  ),
  minShareCount: 2,
}

const renderer: RendererViteConfig = {
  plugins: [react(), absolutePaths],
  define: versionConstant,
  resolve: { alias: [{ find: /^zod$/, replacement: join(root, 'src/renderer/lib/zod.ts') }] },
  build: {
    minify: true,
    // The content security policy allows only our own files, so small pictures and fonts stay files
    // too.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1500,
    emptyOutDir: true,
    rolldownOptions: { output: { codeSplitting: { groups: [sharedCode] } } },
  },
}

/**
 * Main, preload and renderer. Everything that must not import `electron` is built separately
 * (scripts/lib/build-separately.mjs).
 */
export default defineConfig({
  main: {
    define: versionConstant,
    build: {
      target: nodeTarget,
      emptyOutDir: true,
      // An installed app contains no packages but the native ones.
      externalizeDeps: false,
      rolldownOptions: { input: 'src/main/index.ts' },
    },
  },
  preload: {
    build: {
      target: nodeTarget,
      emptyOutDir: true,
      // A sandboxed window loads only CommonJS, in one file.
      externalizeDeps: false,
      rolldownOptions: {
        input: 'src/preload/index.ts',
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer,
})
