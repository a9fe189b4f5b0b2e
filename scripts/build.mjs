import { build } from './lib/build.mjs'
import { runCommand } from './lib/plain-failure.mjs'

/*
 * `npm run build`: always builds, and writes the stamp that tells `npm start` that the build is
 * current.
 */
await runCommand(() => build({ always: true }))
