import { globSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { root } from './paths.mjs'

/**
 * @typedef {{ name?: string, version: string, license?: string, integrity?: string, optional?:
 *   boolean, dependencies?: Record<string, string>, optionalDependencies?: Record<string, string>,
 *   peerDependencies?: Record<string, string> }} Locked
 * @typedef {{ path: string, name: string, version: string, license: string, integrity: string,
 *   optional: boolean, needs: string[] }} Shipped `path` in the lock file; `needs`: paths
 */

/** Packages whose npm dependencies only install them, and don't reach a user. */
const installers = new Set(['electron'])

/** @returns {Record<string, Locked>} */
const readLock = () => JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages

/** Packages that the product's own code imports, by name. Tests and their helpers don't count. */
export function importedPackages() {
  const names = new Set()
  for (const path of globSync('{src,server}/**/*.{ts,tsx}', { cwd: root })) {
    if (/\.test\.tsx?$|[\\/]testing[\\/]|[\\/]conformance[\\/]/.test(path)) continue
    const text = readFileSync(join(root, path), 'utf8')
    for (const [, specifier = ''] of text.matchAll(/(?:from|import|import\()\s*'([^'.][^']*)'/g)) {
      const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
      if (!isBuiltin(specifier) && /^(@[\w.-]+\/)?[\w.-]+$/.test(name)) names.add(name)
    }
  }
  return [...names].sort()
}

/**
 * Everything of other authors that reaches a user: the packages that our code imports and
 * everything they need, for every system, and the Node that runs them.
 *
 * @returns {Shipped[]} by path
 */
export function shippedPackages() {
  const lock = readLock()
  /** @type {Map<string, Shipped>} */
  const shipped = new Map()
  /** @type {(path: string) => void} */
  const add = (path) => {
    const entry = lock[path]
    if (entry === undefined || shipped.has(path)) return
    const name = entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 13)
    const needed = { ...entry.dependencies, ...entry.optionalDependencies }
    const needs = installers.has(name)
      ? []
      : Object.keys(needed).flatMap((each) => locate(lock, path, each) ?? [])
    shipped.set(path, {
      path,
      name,
      version: entry.version,
      license: entry.license ?? 'unknown',
      integrity: entry.integrity ?? '',
      optional: entry.optional === true,
      needs,
    })
    needs.forEach(add)
  }
  const ownNode = Object.keys(lock['']?.optionalDependencies ?? {})
  for (const name of [...importedPackages(), ...ownNode]) add(`node_modules/${name}`)
  return [...shipped.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
}

/**
 * The installed place of a package that another one needs: the nearest folder above it.
 *
 * @param {Record<string, Locked>} lock
 * @param {string} from
 * @param {string} name
 */
function locate(lock, from, name) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const path = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`
    if (lock[path] !== undefined) return path
    if (at === '') return null
  }
}
