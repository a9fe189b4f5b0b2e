import { defineConfig } from 'vitest/config'

/** Unit and integration tests; the Playwright specs in e2e/ have their own runner. */
export default defineConfig({
  test: {
    environment: 'node',
    include: ['server/**/*.test.ts', 'src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts', 'e2e/**/*.test.ts', 'bench/**/*.test.ts'],
    exclude: ['**/node_modules/**', 'out/**'],
    // Separate processes: better-sqlite3 and the workers under test belong to one file each.
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    restoreMocks: true,
  },
})
