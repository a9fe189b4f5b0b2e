import { parseArgs } from 'node:util'
import { PlainFailure } from '../plain-failure.mjs'

export const help = `npm run dist [-- OPTION…]

Packages the built console, and makes its installers for this system, in dist/.

  --dir         packages the apps of Linux and Windows without installers. Where Electron isn't
                installed, a stand-in takes its place, and the result goes to dist/stand-in/
  --twin        leaves Node's inspector on, so that Playwright can drive the app; with --dir
  --arch ARCH   x64 or arm64; default: this computer's, on macOS both
  --help        shows this text
`

const architectures = ['x64', 'arm64']

/** @typedef {{ dir: boolean, twin: boolean, arch: string | undefined, help: boolean }} DistOptions */

/**
 * @param {readonly string[]} args
 * @returns {DistOptions}
 */
export function readDistOptions(args) {
  const { dir, twin, arch, help } = parse(args)
  if (twin && !dir) throw new PlainFailure('--twin needs --dir: a twin has no installer.')
  if (arch !== undefined && !architectures.includes(arch))
    throw new PlainFailure(`--arch must be ${architectures.join(' or ')}, not ${arch}.`)
  return { dir, twin, arch, help }
}

/** @param {readonly string[]} args */
function parse(args) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        dir: { type: 'boolean', default: false },
        twin: { type: 'boolean', default: false },
        arch: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    })
    return values
  } catch (error) {
    throw new PlainFailure(`${error instanceof Error ? error.message : String(error)}\n\n${help}`)
  }
}
