import { expect, test } from '@playwright/test'
import soakPage from '../bench/soak/page.ts'

/** A short run of `npm run soak -- page`. */
test(
  'changes only the record that is visible as the target, whatever keys and clicks come',
  { tag: '@long' },
  async () => {
    test.setTimeout(300_000)
    const said: string[] = []
    const result = await soakPage({ rounds: 10, seed: 300, log: (text) => said.push(text) })
    expect(result, said.join('\n')).toMatchObject({ wrong: 0, sequences: 10 })
    // Without a change, nothing would have been judged.
    expect(result.seen).toBeGreaterThan(0)
  },
)
