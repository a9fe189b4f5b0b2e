import { loadModule, log } from './lib/bench-modules.mjs'
import { PlainFailure, runCommand } from './lib/plain-failure.mjs'
import { conclude, help, readSoakOptions } from './lib/soak.mjs'

const defaultRounds = 100

/*
 * `npm run soak`: bench/soak/NAME.ts exports `default async ({ rounds, seed, log }) => ({ lost,
 * twice, wrong, …figures })`, and may export `defaultRounds`. With `canStop`, an interrupted or
 * terminated run ends with the figures of its complete rounds.
 */
await runCommand(async () => {
  const options = readSoakOptions(process.argv.slice(2), () => Math.floor(Math.random() * 2 ** 31))
  if (options.help) {
    process.stdout.write(help())
    return 0
  }
  const module = await loadModule('bench/soak', options.name)
  const rounds =
    options.rounds ??
    (typeof module['defaultRounds'] === 'number' ? module['defaultRounds'] : defaultRounds)
  const { replay } = options
  if (replay && module['canReplay'] !== true)
    throw new PlainFailure(`The soak ${options.name} has no --replay.`)
  const run = { name: options.name, rounds, seed: options.seed }
  log(`${run.name}: ${rounds} rounds, seed ${run.seed}`)
  const stopping = new AbortController()
  if (module['canStop'] === true)
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stopping.abort())
  const { line, status } = conclude(
    run,
    await module.default({ rounds, seed: run.seed, log, replay, stop: stopping.signal }),
  )
  process.stdout.write(`${line}\n`)
  return status
})
// A soak can leave a handle open in a process that it damaged on purpose; its result is still
// printed.
process.exit(process.exitCode)
