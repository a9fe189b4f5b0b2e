import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isAtLeast, oldestForProduct } from './node-version.mjs'
import { modulesFolder } from './paths.mjs'
import { PlainFailure } from './plain-failure.mjs'

/** The systems with a Node package among the optional dependencies. */
const pinnedFor = ['linux-x64', 'linux-arm64', 'win-x64']

/**
 * The Node that runs the product: the one pinned in the lock file if there is one for this system,
 * otherwise the running one if it is new enough.
 *
 * @param {{ folder?: string, platform?: string, arch?: string, running?: { version: string, path:
 *   string } }} [about] this computer, unless overridden
 * @returns {string} path of the executable
 */
export function productNode(about = {}) {
  const { folder = modulesFolder, platform = process.platform, arch = process.arch } = about
  const running = about.running ?? { version: process.versions.node, path: process.execPath }
  const system = platform === 'win32' ? 'win' : platform
  const pinned = join(
    folder,
    `node-${system}-${arch}`,
    'bin',
    platform === 'win32' ? 'node.exe' : 'node',
  )
  if (existsSync(pinned)) return pinned
  if (isAtLeast(running.version, oldestForProduct)) return running.path
  if (pinnedFor.includes(`${system}-${arch}`))
    throw new PlainFailure(
      'The packages are not installed yet. Run `npm ci` first (`npm start` and `npm test` do that automatically).',
    )
  throw new PlainFailure(
    `Keydesk includes no Node for ${platform} on ${arch} ` +
      `and needs Node ${oldestForProduct.join('.')} or newer there; this is Node ${running.version}. ` +
      'Install the current version from https://nodejs.org and run the command again.',
  )
}
