import { build } from './lib/build.mjs'
import { runCommand } from './lib/plain-failure.mjs'

/*
 * `npm run build`: always builds, and leaves the stamp that keeps `npm start` from building again.
 */
await runCommand(() => build({ always: true }))
