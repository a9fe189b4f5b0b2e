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
  timeout: 60_000,
  expect: { timeout: 10_000 },
  use: {
    browserName: 'chromium',
    viewport: { width: 1440, height: 900 },
    actionTimeout: 15_000,
    trace: 'retain-on-failure',
    launchOptions: existsSync(debianChromium) ? { executablePath: debianChromium, args: ['--no-sandbox'] } : {},
  },
})
