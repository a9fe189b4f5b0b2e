import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join, relative, resolve } from 'node:path'
import { run } from './lib/child.mjs'
import { mutationReport } from './lib/mutation-report.mjs'
import { modulesFolder, root } from './lib/paths.mjs'
import { productNode } from './lib/pinned-node.mjs'
import { PlainFailure, runCommand } from './lib/plain-failure.mjs'

const help = `npm run mutate -- FOLDER…

Plants small defects (mutants) in every file of a folder, runs the tests of its feature (src/core/X,
server/X) against each, and lists the mutants that no test detects. 'FOLDER/*.ts' leaves out the
folders in it. Run it on an idle machine: a mutant whose tests time out counts as detected.
The exit status is 1 when fewer than 90 % are detected.

  npm run mutate -- src/core/certainty
  npm run mutate -- 'src/core/vault/*.ts'

Exclude a mutant that changes nothing a user or another module could notice in the source,
with the reason: // Stryker disable next-line MUTATOR: reason`

/** The share of mutants that a folder's tests must detect, in percent. */
const requiredPercent = 90

const rootFiles = '/*.ts'

/**
 * @param {string} given a folder relative to the root, or the files directly in one
 * @returns {Promise<boolean>} whether enough mutants were detected
 */
async function mutate(given) {
  const isFlat = given.endsWith(rootFiles)
  const folder = isFlat ? given.slice(0, -rootFiles.length) : given
  const work = join(root, '.cache/mutate')
  mkdirSync(work, { recursive: true })
  const report = join(work, `${folder.replaceAll('/', '-')}.json`)
  const config = join(work, 'stryker.json')
  writeFileSync(
    config,
    JSON.stringify({
      testRunner: 'vitest',
      plugins: ['@stryker-mutator/vitest-runner'],
      vitest: { related: false, configFile: 'scripts/lib/vitest-mutate.config.mjs' },
      coverageAnalysis: 'perTest',
      mutate: [isFlat ? given : `${folder}/**/*.ts`, '!**/*.test.ts', '!**/testing/**'],
      ignorePatterns: ['out', 'docs', 'test-results', '.cache'],
      // TypeScript 7 has no JavaScript API, which Stryker would use to rewrite tsconfig.json.
      tsconfigFile: 'none.json',
      reporters: ['json', 'progress-append-only'],
      jsonReporter: { fileName: relative(root, report) },
      tempDirName: '.cache/mutate/sandbox',
      concurrency: 2,
      timeoutMS: 20_000,
      dryRunTimeoutMinutes: 20,
    }),
  )
  const status = await run(
    productNode(),
    [join(modulesFolder, '@stryker-mutator/core/bin/stryker.js'), 'run', relative(root, config)],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...process.env,
        MUTATE_FOLDER: folder,
        PATH: `${join(modulesFolder, '.bin')}${delimiter}${process.env['PATH']}`,
      },
    },
  )
  if (status !== 0) throw new PlainFailure(`Stryker exited with status ${status} for ${folder}.`)
  const { lines, percent } = mutationReport(given, report)
  process.stdout.write(`${lines.join('\n')}\n`)
  return percent >= requiredPercent
}

await runCommand(async () => {
  const folders = process.argv.slice(2)
  if (folders.length === 0 || folders.includes('--help')) {
    process.stdout.write(help)
    return folders.length === 0 ? 1 : 0
  }
  let enough = true
  for (const given of folders) {
    const folder = relative(root, resolve(given))
    if (
      folder === '' ||
      folder.startsWith('..') ||
      !existsSync(join(root, folder.replace(rootFiles, '')))
    )
      throw new PlainFailure(`There is no folder ${given}. Name one below src/ or server/.`)
    enough = (await mutate(folder)) && enough
  }
  return enough ? 0 : 1
})
