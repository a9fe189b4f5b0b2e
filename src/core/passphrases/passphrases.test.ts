import { describe, expect, it } from 'vitest'
import { systemRandomness } from '../randomness.ts'
import { problemOfFailure } from '../testing/failures.ts'
import { createPassphrases } from './passphrases.ts'
import { chooseWords } from './words.ts'

const passphrases = createPassphrases(systemRandomness, () => ['Kestrel Keys'])

describe('a chosen passphrase', () => {
  it.each([
    'aaaaaaaa',
    'password',
    '12345678',
    'Passw0rd!',
    'qwertyuiop[]',
    'correct horse',
    'Summer2026!',
    'Kestrel Keys 2026',
    'keydesk keydesk keydesk',
    'abacus abacus abacus',
    'p4s5w0rd'.repeat(9),
    '',
  ])('is rejected when it is easy to guess: %s', async (passphrase) => {
    expect(await problemOfFailure(passphrases.requireStrong(passphrase))).toMatchObject({
      code: 'WEAK_PASSPHRASE',
      what: 'This passphrase is too easy to guess.',
      effect: 'Nothing was changed.',
    })
  })

  it.each(['correct horse battery staple', 'kept in the safe at home', 'vG7#qLw9!tZx'])(
    'is accepted when guessing it takes years: %s',
    async (passphrase) => {
      await expect(passphrases.requireStrong(passphrase)).resolves.toBeUndefined()
    },
  )

  it('is judged the same in every Unicode form', async () => {
    const one = await passphrases.estimate('caf\u00e9 lantern meadow')
    expect(await passphrases.estimate('cafe\u0301 lantern meadow')).toEqual(one)
  })

  it.each([
    ['', 'weak', false],
    ['password', 'weak', false],
    ['correct horse', 'fair', false],
    ['correct horse battery', 'good', true],
    ['harbor violin ember quartz lantern meadow', 'strong', true],
  ])('has a word for its strength: %s', async (passphrase, strength, isEnough) => {
    expect(await passphrases.estimate(passphrase)).toMatchObject({ strength, isEnough })
  })
})

describe('generated words', () => {
  it('are as strong as their number says, and accepted', async () => {
    for (const [count, bits] of [
      [5, 64],
      [6, 77],
      [7, 90],
    ] as const) {
      const generated = await passphrases.generate(count)
      expect(generated).toMatchObject({ bits, listed: 7776 })
      expect(generated.words).toHaveLength(count)
      const estimate = await passphrases.estimate(generated.words.join(' '))
      expect(estimate.isEnough).toBe(true)
      expect(estimate.bits, 'an attacker knows the list').toBeLessThanOrEqual(bits)
    }
  })

  it('are each equally probable: numbers that would favor the first words are drawn again', () => {
    const drawn = [65_535, 65_534, 2, 65_532]
    const bytes = (): Buffer => {
      const buffer = Buffer.alloc(2)
      buffer.writeUInt16BE(drawn.shift() ?? 0)
      return buffer
    }
    // 65,534 is a multiple of 7: the numbers from there on are drawn again.
    const list = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
    expect(chooseWords(list, 2, { bytes })).toEqual(['c', 'f'])
  })
})
