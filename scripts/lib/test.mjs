import { install } from './install.mjs'
import { PlainFailure, runCommand } from './plain-failure.mjs'
import { add, none, summary } from './test-counts.mjs'
import { prepareMachine } from './test-machine.mjs'
import { steps } from './test-steps.mjs'

const help = `npm test [-- STEP…]

Installs what is missing and runs every step, or the ones named:

${steps.map(({ name, about }) => `  ${name.padEnd(12)}${about}`).join('\n')}

The last line says how many tests passed and failed; the exit status is 1 when any failed.
`

/**
 * `npm test`: a failed step does not keep the later ones from running, unless they need it.
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
    await install()
    await prepareMachine()

    let total = none
    const failed = new Set()
    for (const step of chosen) {
      const startedAt = Date.now()
      console.error(`\n── ${step.name}: ${step.about}`)
      const broken = step.needs !== undefined && failed.has(step.needs)
      if (broken) console.error(`Not run: ${step.needs} failed.`)
      const counts = broken ? { ...none, failed: 1 } : await step.run()
      if (counts.failed > 0) failed.add(step.name)
      console.error(`── ${step.name}: ${summary(counts)} in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`)
      total = add(total, counts)
    }
    if (failed.size > 0) console.error(`\nFailed: ${[...failed].join(', ')}`)
    process.stdout.write(`${summary(total)}\n`)
    return total.failed === 0 ? 0 : 1
  })
}

/**
 * @param {readonly string[]} names all when none is given
 * @returns {import('./test-steps.mjs').Step[]} in their own order, each with the step that it needs
 */
export function chooseSteps(names) {
  const unknown = names.filter((name) => !steps.some((step) => step.name === name))
  if (unknown.length > 0) throw new PlainFailure(`Unknown step ${unknown.join(', ')}. The steps are ${steps.map(({ name }) => name).join(', ')}.`)
  if (names.length === 0) return [...steps]
  const needed = steps.filter(({ name }) => names.includes(name)).flatMap(({ needs }) => needs === undefined ? [] : [needs])
  return steps.filter(({ name }) => names.includes(name) || needed.includes(name))
}
