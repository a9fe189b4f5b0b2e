import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { root } from './paths.mjs'

/** The sources of a build, as files and folders relative to the root. */
const inputs = [
  'src',
  'server',
  'resources',
  'package.json',
  'package-lock.json',
  'electron.vite.config.ts',
  'vite.shared.ts',
  'scripts/bundle.mjs',
]

const isTest = (/** @type {string} */ path) =>
  /\.test\.tsx?$/.test(path) || path.includes(`${sep}testing${sep}`)

/**
 * @param {string} path of a file or a folder
 * @returns {string[]} the files in it; empty if it doesn't exist
 */
function filesBelow(path) {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return []
  return stats.isDirectory()
    ? readdirSync(path).flatMap((name) => filesBelow(join(path, name)))
    : [path]
}

/**
 * A digest of the names and contents of a build's sources. It is the same on every machine,
 * whatever the files' dates.
 *
 * @param {string} [folder]
 */
export function sourceDigest(folder = root) {
  const hash = createHash('sha256')
  const files = inputs
    .flatMap((input) => filesBelow(join(folder, input)))
    .filter((path) => !isTest(path))
    .sort()
  for (const path of files) {
    const bytes = readFileSync(path)
    hash.update(`${relative(folder, path)}\0${bytes.length}\0`).update(bytes)
  }
  return hash.digest('hex')
}

const stampOf = (/** @type {string} */ folder) => join(folder, 'out', '.built')

/**
 * @param {string} digest of the sources
 * @param {string} [folder]
 */
export function isBuilt(digest, folder = root) {
  const stamp = stampOf(folder)
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === digest
}

/**
 * Removes the stamp before a new build starts, so that an interrupted build never counts as
 * complete.
 *
 * @param {string} [folder]
 */
export function forgetBuild(folder = root) {
  rmSync(stampOf(folder), { force: true })
}

/**
 * @param {string} digest of the sources when the build started
 * @param {string} [folder]
 */
export function rememberBuild(digest, folder = root) {
  mkdirSync(dirname(stampOf(folder)), { recursive: true })
  writeFileSync(stampOf(folder), digest)
}
