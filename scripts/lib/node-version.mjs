/*
 * The required versions of Node. This file is loaded before anything is known about the running
 * Node, so it uses only syntax that Node 12 parses and imports nothing.
 */

/** The oldest Node that can run the scripts. */
const oldestForScripts = [20, 0]

/** The oldest Node that can run the product: it strips types from source files by default. */
export const oldestForProduct = [22, 18]

/**
 * Whether a version is the given one or newer.
 *
 * @param {string} version as in `process.versions.node`, "20.20.2"
 * @param {number[]} oldest major and minor
 */
export function isAtLeast(version, oldest) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [oldestMajor = 0, oldestMinor = 0] = oldest
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)
}

/**
 * @param {string} version of the running Node
 * @returns {string | undefined} the message when it is too old for the scripts; otherwise undefined
 */
export function unsupportedMessage(version) {
  if (isAtLeast(version, oldestForScripts)) return undefined
  return (
    'Keydesk needs Node ' +
    oldestForScripts[0] +
    ' or newer; this is Node ' +
    version +
    '. Install the current version from https://nodejs.org and run the command again.'
  )
}
