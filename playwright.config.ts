import { defineConfig } from '@playwright/test'
import { chromiumLaunch } from './e2e/support/chromium.ts'
import { keepCompiled } from './scripts/lib/compiled.mjs'

keepCompiled()

/**
 * The built console in Chromium, served by the browser host. A repetition would only hide a race,
 * so there is none at a desk; continuous integration, on machines that stall, repeats a failed test
 * once and names it as flaky in the last line, so that it is looked into.
 */
export default defineConfig({
  testDir: 'e2e',
  projects: [
    { name: 'console', testMatch: '**/*.spec.ts', testIgnore: 'pictures/**' },
    // Draws the guide's pictures; `npm run pictures`, no part of the tests.
    { name: 'pictures', testMatch: 'pictures/**/*.spec.ts' },
  ],
  outputDir: 'test-results/e2e',
  // One more than the cores that everybody has: a console that is killed, a clock or a page that is
  // waited for leaves them idle.
  workers: 3,
  retries: process.env['CI'] === undefined ? 0 : 1,
  forbidOnly: true,
  timeout: 180_000,
  expect: { timeout: 30_000, toPass: { timeout: 30_000 } },
  use: {
    browserName: 'chromium',
    viewport: { width: 1440, height: 900 },
    actionTimeout: 35_000,
    // Pictures and snapshots of every step take as long as the step; KEYDESK_TRACE=1 makes them.
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
