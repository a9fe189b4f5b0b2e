/*
 * Which Node may run what. This file is loaded before anything is known about the running Node, so
 * it keeps to syntax that Node 12 parses and imports nothing.
 */

/** The oldest Node that the scripts themselves run on. */
const oldestForScripts = [20, 0]

/**
 * The oldest Node that runs the product: it strips types from source files without being asked to.
 */
export const oldestForProduct = [22, 18]

/**
 * Whether a version is the given one or newer.
 *
 * @param {string} version as `process.versions.node` gives it, "20.20.2"
 * @param {number[]} oldest major and minor
 */
export function isAtLeast(version, oldest) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [oldestMajor = 0, oldestMinor = 0] = oldest
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)
}

/**
 * @param {string} version of the running Node
 * @returns {string | undefined} what to say when it is too old for the scripts; nothing when it is
 *   not
 */
export function refusalOf(version) {
  if (isAtLeast(version, oldestForScripts)) return undefined
  return (
    'Keydesk needs Node ' +
    oldestForScripts[0] +
    ' or newer; this is Node ' +
    version +
    '. Install the current version from https://nodejs.org and run the command again.'
  )
}
