import { existsSync } from 'node:fs'
import { defineConfig } from '@playwright/test'

const debianChromium = '/usr/bin/chromium'

/** The built console in Chromium, served by the browser host. A retry would only hide a race, so there is none. */
export default defineConfig({
  testDir: 'e2e',
  projects: [
    { name: 'console', testMatch: '**/*.spec.ts', testIgnore: 'pictures/**' },
    // Draws the guide's pictures; `npm run pictures`, no part of the tests.
    { name: 'pictures', testMatch: 'pictures/**/*.spec.ts' },
  ],
  outputDir: 'test-results/e2e',
  workers: 2,
  retries: 0,
  forbidOnly: true,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  use: {
    browserName: 'chromium',
    viewport: { width: 1440, height: 900 },
    actionTimeout: 25_000,
    // Pictures and snapshots of every step take as long as the step; KEYDESK_TRACE=1 makes them.
    trace: { mode: 'retain-on-failure', ...(process.env['KEYDESK_TRACE'] === undefined && { screenshots: false, snapshots: false, sources: false }) },
    launchOptions: existsSync(debianChromium) ? { executablePath: debianChromium, args: ['--no-sandbox', '--disable-gpu'] } : {},
  },
})
