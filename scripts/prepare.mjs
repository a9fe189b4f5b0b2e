import { isAtLeast, oldestForProduct } from './lib/node-version.mjs'
import { root } from './lib/paths.mjs'

/*
 * npm runs this after it installed the packages. Without a build the service still starts, only
 * more slowly, so nothing may fail here.
 */
process.chdir(root)
console.log = console.error
console.info = console.error
try {
  if (!isAtLeast(process.versions.node, oldestForProduct))
    throw new Error(
      `it needs Node ${oldestForProduct.join('.')} or newer, and this is ${process.versions.node}`,
    )
  const { buildServer } = await import('./lib/build-separately.mjs')
  await buildServer()
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error)
  console.error(`The sandbox was not built in advance and starts from its sources: ${reason}`)
}
