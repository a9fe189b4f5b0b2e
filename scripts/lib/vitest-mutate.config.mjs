import { defineConfig } from 'vitest/config'

const folder = process.env['MUTATE_FOLDER'] ?? ''
/** A feature of the console is three folders deep, a part of the backend two. */
const depth = folder.startsWith('src/') ? 3 : 2
const subject = folder.split('/').slice(0, depth).join('/')

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
