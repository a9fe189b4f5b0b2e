import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { cruise } from 'dependency-cruiser'
import configuration from '../../.dependency-cruiser.mjs'

const forbidden = configuration.forbidden ?? []
const folders = ['server', 'src', 'scripts', 'bench', 'e2e']

/**
 * @typedef {{ rule: string, from: string, to: string }} Violation
 */

/** The rules with their reasons. */
export const rules = forbidden.map((rule) => ({
  name: rule.name ?? '',
  comment: rule.comment ?? '',
}))

/**
 * Checks every import in a folder with the layout of the repository.
 *
 * @param {string} baseDir absolute path
 * @returns {Promise<{ modules: number, imports: number, violations: Violation[] }>}
 * @throws {Error} when the parser found no module or no import, because no rule could fail then
 */
export async function checkBoundaries(baseDir) {
  const { enhancedResolveOptions = {}, ...options } = configuration.options ?? {}
  const present = folders.filter((folder) => existsSync(join(baseDir, folder)))
  const cruiseOptions = /** @type {import('dependency-cruiser').ICruiseOptions} */ ({
    ...options,
    baseDir,
    ruleSet: { forbidden },
    validate: true,
  })
  const { output } = await cruise(present, cruiseOptions, { ...enhancedResolveOptions })
  if (typeof output === 'string')
    throw new Error('dependency-cruiser returned text instead of a result')
  const {
    totalCruised: modules,
    totalDependenciesCruised: imports = 0,
    violations,
  } = output.summary
  if (modules === 0 || imports === 0)
    throw new Error(
      `The boundaries can't be checked: found ${modules} modules and ${imports} imports`,
    )
  return {
    modules,
    imports,
    violations: violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to })),
  }
}
