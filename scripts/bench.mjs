import { loadModule, log, namesIn } from './lib/bench-modules.mjs'
import { run } from './lib/child.mjs'
import { runCommand } from './lib/plain-failure.mjs'

const help = () =>
  `npm run bench -- [NAME…]

Runs benchmarks and prints each result with its reference value, as one line of JSON per benchmark.
Runs all when no name is given.

Names: ${namesIn('bench').join(', ') || 'none yet'}
`

/**
 * `npm run bench`: bench/NAME.ts exports `default async ({ log }) => figures`. Benchmarks run one
 * after another, each in a fresh process.
 */
await runCommand(async () => {
  const args = process.argv.slice(2)
  if (args.includes('--help')) {
    process.stdout.write(help())
    return 0
  }
  const names = args.length > 0 ? args : namesIn('bench')
  const [only] = names
  if (names.length === 1 && only !== undefined) {
    const { default: measure } = await loadModule('bench', only)
    const figures = await measure({ log })
    process.stdout.write(`${JSON.stringify({ name: only, ...figures })}\n`)
    return 0
  }
  let worst = 0
  for (const name of names)
    worst = Math.max(
      worst,
      await run(process.execPath, ['scripts/bench.mjs', name], {
        stdio: ['ignore', 'inherit', 'inherit'],
      }),
    )
  return worst
})
