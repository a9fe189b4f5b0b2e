import { globSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

const folder = process.env['MUTATE_FOLDER'] ?? ''
const parts = folder.split('/')

/** A feature of the console, or a part of the backend's domain that has tests. */
const feature = parts.slice(0, 3).join('/')
const hasTests = globSync(`${feature}/**/*.test.ts`).length > 0

/** Every test of the domain calls the service through these parts, so all of its tests count. */
const callers = ['server/domain/handlers']
const subject = hasTests && !callers.includes(feature) ? feature : parts.slice(0, 2).join('/')

/**
 * The promises of the service are tested over HTTP. A part of the domain that is small between the
 * requests and the store is mutated with the tests of those promises too.
 *
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const promises = {
  'server/domain/access': [
    'partner/partner-authentication',
    'seller/seller-access',
    'sandbox/sandbox-accounts',
    'sandbox/sandbox-state',
  ],
  'server/domain/catalogue': [
    'partner/partner-catalogue',
    'partner/partner-cursors',
    'partner/partner-price-tiers',
    'seller/seller-offers',
    'validation-details',
  ],
  'server/domain/clock': ['sandbox/sandbox-clock'],
  'server/domain/delivery': ['partner/partner-deliveries', 'partner/partner-orders'],
  'server/domain/environment': ['sandbox/sandbox-process'],
  'server/domain/handlers': ['validation-details'],
  'server/domain/limits': ['partner/partner-limits', 'seller/seller-access'],
  'server/domain/snapshots': ['sandbox/sandbox-state'],
}

/** The tests of the feature or part whose folder `npm run mutate` mutates. */
export default defineConfig({
  test: {
    environment: 'node',
    include: [
      `${subject}/**/*.test.ts`,
      ...(promises[feature] ?? []).map((name) => `server/conformance/${name}.test.ts`),
    ],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    restoreMocks: true,
  },
})
