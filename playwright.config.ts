import { defineConfig } from '@playwright/test'
import { chromiumLaunch } from './src/renderer/ui/testing/chromium.ts'
import { enableCompileCache } from './scripts/lib/compile-cache.mjs'

enableCompileCache()

/**
 * Tests the built console in Chromium, served by the browser host. Retries would only hide races,
 * so there are none locally. Continuous integration, on slow machines, retries a failed test once
 * and reports it as flaky in the last line, so that someone investigates it.
 */
export default defineConfig({
  testDir: 'e2e',
  projects: [
    { name: 'console', testMatch: '**/*.spec.ts', testIgnore: 'pictures/**' },
    // Creates the guide's pictures; part of `npm run pictures`, not of the tests.
    { name: 'pictures', testMatch: 'pictures/**/*.spec.ts' },
  ],
  outputDir: 'test-results/e2e',
  // One more than the number of cores, because tests that wait for a killed console, a clock or a
  // page leave a core idle.
  workers: 3,
  retries: process.env['CI'] === undefined ? 0 : 1,
  forbidOnly: true,
  timeout: 180_000,
  expect: { timeout: 30_000, toPass: { timeout: 30_000 } },
  use: {
    browserName: 'chromium',
    viewport: { width: 1440, height: 900 },
    actionTimeout: 35_000,
    // Screenshots and snapshots of every step take as long as the step itself; KEYDESK_TRACE=1
    // records them.
    trace: {
      mode: 'retain-on-failure',
      ...(process.env['KEYDESK_TRACE'] === undefined && {
        screenshots: false,
        snapshots: false,
        sources: false,
      }),
    },
    launchOptions: chromiumLaunch,
  },
})
