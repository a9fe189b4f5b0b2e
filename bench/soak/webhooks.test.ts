import { expect, test } from 'vitest'
import soakWebhooks from './webhooks.ts'

test('sends every acknowledged event once, signed and on time, although the service is killed', async () => {
  const seed = Math.floor(Date.now() / 86_400_000)
  const told: string[] = []
  const result = await soakWebhooks({
    rounds: 1,
    seed,
    log: (text) => told.push(text),
    events: 30,
    dead: 3,
    seconds: false,
  })
  expect(result, `seed ${seed}: ${told.join('\n')}`).toMatchObject({
    lost: 0,
    twice: 0,
    wrong: 0,
    kills: 1,
  })
  expect(result.verified).toBeGreaterThan(150)
}, 180_000)
