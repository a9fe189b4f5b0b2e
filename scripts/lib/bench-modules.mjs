import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './paths.mjs'
import { PlainFailure } from './plain-failure.mjs'

/**
 * The names in a folder: one per file, except tests and folders.
 *
 * @param {string} folder below the root
 * @param {string} [base]
 */
export function namesIn(folder, base = root) {
  const path = join(base, folder)
  if (!existsSync(path)) return []
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isFile() && /^[a-z0-9-]+\.ts$/.test(entry.name))
    .map((entry) => entry.name.slice(0, -'.ts'.length))
    .sort()
}

/**
 * @param {string} folder below the root
 * @param {string} name one of {@link namesIn}
 * @param {string} [base]
 * @returns {Promise<Record<string, unknown> & { default: (options: object) =>
 *   Promise<Record<string, unknown>> }>}
 */
export async function loadModule(folder, name, base = root) {
  if (!namesIn(folder, base).includes(name)) {
    throw new PlainFailure(
      `There is no ${folder}/${name}.ts. The names are: ${namesIn(folder, base).join(', ') || 'none yet'}.`,
    )
  }
  const module = await import(pathToFileURL(join(base, folder, `${name}.ts`)).href)
  if (typeof module.default !== 'function')
    throw new PlainFailure(`${folder}/${name}.ts has no default function.`)
  return module
}

/** Progress for people; standard output contains only results. @type {(text: string) => void} */
export const log = (text) => console.error(text)
