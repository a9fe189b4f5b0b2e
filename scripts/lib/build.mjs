import { forgetBuild, isBuilt, rememberBuild, sourceDigest } from './build-stamp.mjs'
import { run } from './child.mjs'
import { productNode } from './pinned-node.mjs'

/**
 * Builds if the sources changed since the last build, or always on request.
 *
 * @param {{ always?: boolean } & import('./child.mjs').RunOptions} [options] also passed to `run`
 * @returns {Promise<number>} exit status of the build, 0 when there was nothing to do
 */
export async function build({ always = false, ...options } = {}) {
  const digest = sourceDigest()
  if (!always && isBuilt(digest)) return 0
  console.error('Building…')
  forgetBuild()
  const status = await run(productNode(), ['scripts/bundle.mjs'], options)
  if (status === 0) rememberBuild(digest)
  return status
}
