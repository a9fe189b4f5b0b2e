import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { install } from './install.mjs'
import { PlainFailure, runCommand } from './plain-failure.mjs'
import { add, none, summary } from './test-counts.mjs'
import { prepareMachine } from './test-machine.mjs'
import { steps } from './test-steps.mjs'

const help = `npm test [-- STEP… | --full]

Installs what is missing and runs the steps that aren't long, the named ones, or all of them. Long
tests, whose titles end in @long, run only with --full and in the step "sessions".

${steps.map(({ name, about, long }) => `  ${name.padEnd(12)}${about}${long ? ' (long)' : ''}`).join('\n')}

The last line shows how many tests passed and failed. The exit status is 1 if any failed.
`

/** @typedef {import('./test-steps.mjs').Step} Step */
/** @typedef {import('./test-counts.mjs').Counts} Counts */

/** As many as every machine has processors for. */
const maxParallel = 2

/** @param {Step} step */
const announce = ({ name, about }) => console.error(`\n── ${name}: ${about}`)

/**
 * Runs steps in parallel, started in order. The output of each is printed in one piece when it
 * finishes.
 *
 * @param {readonly Step[]} steps
 * @param {(step: Step, counts: Counts, startedAt: number) => void} settle called with each result,
 *   in the order in which the steps finish
 */
export async function runParallel(steps, settle) {
  const waiting = [...steps]
  const folder = mkdtempSync(join(tmpdir(), 'keydesk-steps-'))
  const lane = async () => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      const startedAt = Date.now()
      const file = join(folder, step.name)
      const output = openSync(file, 'w')
      const counts = await step.run({ stdio: ['ignore', output, output] })
      closeSync(output)
      announce(step)
      process.stderr.write(readFileSync(file))
      settle(step, counts, startedAt)
    }
  }
  try {
    await Promise.all(Array.from({ length: maxParallel }, lane))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * `npm test`: a failed step doesn't stop the later ones, unless they need it.
 *
 * @param {readonly string[]} args
 */
export async function main(args) {
  await runCommand(async () => {
    if (args.includes('--help')) {
      process.stdout.write(help)
      return 0
    }
    const chosen = chooseSteps(args)
    const isFull = args.includes('--full')
    await install()
    await prepareMachine()

    let total = none
    /** @type {Set<string>} */
    const failed = new Set()
    /** @type {(step: Step, counts: Counts, startedAt: number) => void} */
    const settle = ({ name }, counts, startedAt) => {
      if (counts.failed > 0) failed.add(name)
      console.error(
        `── ${name}: ${summary(counts)} in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`,
      )
      total = add(total, counts)
    }
    await runParallel(
      chosen.filter(({ beside }) => beside),
      settle,
    )
    for (const step of chosen.filter(({ beside }) => !beside)) {
      const startedAt = Date.now()
      announce(step)
      const broken = step.needs !== undefined && failed.has(step.needs)
      if (broken) console.error(`Skipped: ${step.needs} failed.`)
      settle(step, broken ? { ...none, failed: 1 } : await step.run({}, isFull), startedAt)
    }
    // Last, so that they survive a shortened log.
    if (failed.size > 0) console.error(`\nFailed: ${[...failed].join(', ')}`)
    for (const name of total.names) console.error(`  ${name}`)
    process.stdout.write(`${summary(total)}\n`)
    return total.failed === 0 ? 0 : 1
  })
}

/**
 * @param {readonly string[]} names all that aren't long when none is given; `--full` for all
 * @returns {Step[]} in their fixed order, each with the step that it needs
 */
export function chooseSteps(names) {
  if (names.length === 1 && names[0] === '--full') return [...steps]
  const unknown = names.filter((name) => !steps.some((step) => step.name === name))
  if (unknown.length > 0)
    throw new PlainFailure(
      `Unknown step ${unknown.join(', ')}. The steps are ${steps.map(({ name }) => name).join(', ')}.`,
    )
  if (names.length === 0) return steps.filter(({ long }) => !long)
  const needed = steps
    .filter(({ name }) => names.includes(name))
    .flatMap(({ needs }) => (needs === undefined ? [] : [needs]))
  return steps.filter(({ name }) => names.includes(name) || needed.includes(name))
}
