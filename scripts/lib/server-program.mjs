import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './paths.mjs'

/** The sources of the service, as files and folders relative to the root. */
const inputs = [
  'server',
  'resources/demo',
  'package.json',
  'package-lock.json',
  'vite.shared.ts',
  'scripts/lib/build-separately.mjs',
]

/** Files that the service doesn't contain. */
const unused = /\.test\.ts$|(?:^|[\\/])testing(?:[\\/]|$)/

const stampOf = (/** @type {string} */ folder) => join(folder, 'out', 'server', '.sources')

/** @param {string} folder @param {string} path of a file or folder below it */
function factsOf(folder, path) {
  const stats = statSync(join(folder, path), { throwIfNoEntry: false })
  return stats === undefined
    ? 'absent'
    : stats.isDirectory()
      ? `${stats.mtimeMs}`
      : `${stats.mtimeMs} ${stats.size}`
}

/**
 * Dates and sizes of all sources of the service. The dates of the folders show whether files were
 * added or removed.
 *
 * @param {string} [folder]
 * @returns {string} one line per file: the facts, a tab, the path
 */
export function serverSources(folder = root) {
  const paths = inputs.flatMap((input) => {
    const stats = statSync(join(folder, input), { throwIfNoEntry: false })
    return stats?.isDirectory() === true
      ? [
          input,
          ...readdirSync(join(folder, input), { encoding: 'utf8', recursive: true })
            .filter((name) => !unused.test(name))
            .map((name) => join(input, name)),
        ]
      : [input]
  })
  return paths.map((path) => `${factsOf(folder, path)}\t${path}`).join('\n')
}

/** @param {string} [folder] */
export function forgetServer(folder = root) {
  rmSync(stampOf(folder), { force: true })
}

/** @param {string} sources as they were when the build started @param {string} [folder] */
export function rememberServer(sources, folder = root) {
  writeFileSync(stampOf(folder), sources)
}

/**
 * The program for `npm run sandbox`: the built service if its sources are unchanged, because it
 * starts in half the time, otherwise the sources themselves. The check takes a few milliseconds.
 *
 * @param {string} [folder]
 * @returns {string} path of the program relative to the folder
 */
export function serverProgram(folder = root) {
  const stamp = stampOf(folder)
  const current =
    existsSync(stamp) &&
    readFileSync(stamp, 'utf8')
      .split('\n')
      .every((line) => {
        const [facts, path = ''] = line.split('\t')
        return factsOf(folder, path) === facts
      })
  return current ? 'out/server/main.js' : 'server/main.ts'
}
