import { globSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

const folder = process.env['MUTATE_FOLDER'] ?? ''
const parts = folder.split('/')

/** A feature of the console, or a part of the backend's domain that has tests. */
const feature = parts.slice(0, 3).join('/')
const hasTests = globSync(`${feature}/**/*.test.ts`).length > 0
const subject = hasTests ? feature : parts.slice(0, 2).join('/')

/** The tests of the feature or part whose folder `npm run mutate` mutates. */
export default defineConfig({
  test: {
    environment: 'node',
    include: [`${subject}/**/*.test.ts`],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    restoreMocks: true,
  },
})
