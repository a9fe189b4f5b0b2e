import { defineConfig } from 'vitest/config'

/** The tests of the folder that `npm run mutate` mutates. */
export default defineConfig({
  test: {
    environment: 'node',
    include: [`${process.env['MUTATE_FOLDER']}/**/*.test.ts`],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    restoreMocks: true,
  },
})
