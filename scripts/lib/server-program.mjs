import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './paths.mjs'

/** What the service is built from, as folders and files below the root. */
const inputs = [
  'server',
  'resources/demo',
  'package.json',
  'package-lock.json',
  'vite.shared.ts',
  'scripts/lib/build-apart.mjs',
]

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
 * Dates and sizes of all that the service is built from. The dates of the folders tell what was
 * added or taken away.
 *
 * @param {string} [folder]
 * @returns {string} a line each: the facts, a tab, the path
 */
export function serverSources(folder = root) {
  const paths = inputs.flatMap((input) => {
    const stats = statSync(join(folder, input), { throwIfNoEntry: false })
    return stats?.isDirectory() === true
      ? [
          input,
          ...readdirSync(join(folder, input), { encoding: 'utf8', recursive: true }).map((name) =>
            join(input, name),
          ),
        ]
      : [input]
  })
  return paths.map((path) => `${factsOf(folder, path)}\t${path}`).join('\n')
}

/** @param {string} [folder] */
export function forgetServer(folder = root) {
  rmSync(stampOf(folder), { force: true })
}

/** @param {string} sources as they were when the build began @param {string} [folder] */
export function rememberServer(sources, folder = root) {
  writeFileSync(stampOf(folder), sources)
}

/**
 * What `npm run sandbox` runs: the built service as long as its sources are those it was built
 * from, since it starts in half the time, and else the sources themselves. Looking costs a few
 * milliseconds.
 *
 * @param {string} [folder]
 * @returns {string} path of the program below the folder
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
