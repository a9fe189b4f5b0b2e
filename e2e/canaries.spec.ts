import { expect, test } from '@playwright/test'
import soakCanaries from '../bench/soak/canaries.ts'

/** A short run of `npm run soak -- canaries`. */
test(
  'leaves no secret in a file, a log or the page’s memory, even when the console is killed',
  { tag: '@long' },
  async () => {
    test.setTimeout(300_000)
    const said: string[] = []
    const result = await soakCanaries({
      rounds: 1,
      seed: 20_261_121,
      keys: 200,
      kills: 1,
      log: (text) => said.push(text),
    })
    expect(result, said.join('\n')).toMatchObject({ lost: 0, twice: 0, wrong: 0, found: 0 })
    expect(result.planted).toBe(201)
    expect(result.texts).toBeGreaterThan(1)
    expect(result.reports).toBeGreaterThan(2)
    expect(result.heapsSearched).toBeGreaterThan(5)
  },
)
