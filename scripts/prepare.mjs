import { buildServer } from './lib/build-apart.mjs'
import { root } from './lib/paths.mjs'

/* npm runs this after it installed the packages. Without a build the service starts all the same, only later: nothing may fail here. */
process.chdir(root)
console.log = console.error
console.info = console.error
try {
  await buildServer()
} catch (error) {
  console.error(`The sandbox was not built ahead, and starts from its sources: ${error instanceof Error ? error.message : String(error)}`)
}
