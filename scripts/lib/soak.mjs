import { namesIn } from './bench-modules.mjs'
import { PlainFailure } from './plain-failure.mjs'

const folder = 'bench/soak'

export const help = () =>
  `npm run soak -- NAME [--rounds N] [--seed S] [--replay]

Damages real processes and compares the result with the service's own data. The last line is JSON.
The exit status is 1 if anything was lost, done twice or wrong. The same seed repeats the same run.
--replay simulates days again and compares all their events; only simulate and planted have it.
A run of page or simulate that is interrupted (SIGINT or SIGTERM) prints the figures of its complete
sequences or days.

Names: ${namesIn(folder).join(', ') || 'none yet'}
`

/**
 * @param {readonly string[]} args
 * @param {() => number} anySeed the seed if none is given
 * @returns {{ help: boolean, name: string, rounds: number | undefined, seed: number,
 *   replay: boolean }}
 */
export function readSoakOptions(args, anySeed) {
  const rest = args.flatMap((arg) => (/^--\w+=/.test(arg) ? arg.split(/=(.*)/s, 2) : [arg]))
  const options = {
    help: false,
    name: '',
    rounds: /** @type {number | undefined} */ (undefined),
    seed: /** @type {number | undefined} */ (undefined),
    replay: false,
  }
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (arg === '--help') options.help = true
    else if (arg === '--replay') options.replay = true
    else if (arg === '--rounds') options.rounds = wholeNumber(arg, rest.shift(), 1)
    else if (arg === '--seed') options.seed = wholeNumber(arg, rest.shift(), 0)
    else if (arg.startsWith('-') || options.name !== '')
      throw new PlainFailure(`Unknown option ${arg}. \`npm run soak -- --help\` lists the options.`)
    else options.name = arg
  }
  if (options.name === '' && !options.help)
    throw new PlainFailure('Which soak? `npm run soak -- --help` lists the names.')
  return { ...options, seed: options.seed ?? anySeed() }
}

/**
 * @param {string} option
 * @param {string | undefined} value
 * @param {number} least
 */
function wholeNumber(option, value, least) {
  const number = Number(value)
  if (value === undefined || !/^\d{1,15}$/.test(value) || number < least)
    throw new PlainFailure(`${option} must be a whole number of at least ${least}.`)
  return number
}

/**
 * The last line of a soak. A result without one of the three counts is a defect of the soak, never
 * a success.
 *
 * @param {{ name: string, rounds: number, seed: number }} run
 * @param {Record<string, unknown>} result
 * @returns {{ line: string, status: number }}
 */
export function conclude(run, result) {
  const { lost, twice, wrong } = result
  for (const [key, count] of Object.entries({ lost, twice, wrong })) {
    if (typeof count !== 'number' || !Number.isInteger(count) || count < 0)
      throw new Error(`The soak ${run.name} returned no count of ${key}`)
  }
  return {
    line: JSON.stringify({ ...run, ...result }),
    status: lost === 0 && twice === 0 && wrong === 0 ? 0 : 1,
  }
}
