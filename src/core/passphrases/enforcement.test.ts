import { afterEach, beforeEach, expect, it } from 'vitest'
import { temporaryFolder } from '../testing/context.ts'
import { problemOf, startTestCore } from '../testing/core.ts'
import type { TestCore } from '../testing/core.ts'
import { memoryKeychain, missingKeychain } from '../testing/keychains.ts'

const passphraseCost = { N: 2 ** 10, r: 8, p: 1 }
const weak = 'password'

let folder: ReturnType<typeof temporaryFolder>
let harness: TestCore

beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(async () => {
  await harness.close()
  folder.remove()
})

/** Every call that takes a new passphrase, with one that is easy to guess. */
const choices = ({ vault, backup, secondProof }: TestCore['ask']) => ({
  'the vault': () =>
    vault.changeProtection({ passphrase: null, as: { kept: 'passphrase', passphrase: weak } }),
  'a recovery copy': () => vault.recoveryCopy({ passphrase: null, wrapWith: weak }),
  'an export': () => vault.export({ form: 'sealed', passphrase: weak }),
  'a recovered vault': () =>
    vault.recover({ base64: 'e30=', passphrase: 'of the copy', newPassphrase: weak }),
  'a backup': () => backup.create({ passphrase: weak }),
  'the second proof': () => secondProof.setPassphrase({ passphrase: weak }),
})

it.each(Object.keys(choices({} as never)))(
  'rejects a passphrase that is easy to guess for %s',
  async (name) => {
    harness = await startTestCore(folder.path, memoryKeychain(), { passphraseCost })
    const choose = new Map<string, () => Promise<unknown>>(
      Object.entries(choices(harness.ask)),
    ).get(name)
    expect(await problemOf(choose?.() ?? Promise.resolve())).toMatchObject({
      code: 'WEAK_PASSPHRASE',
    })
  },
)

it('rejects one for a new vault, and judges none that is typed to open it', async () => {
  harness = await startTestCore(folder.path, missingKeychain(), { passphraseCost })
  const { vault } = harness.ask
  expect((await problemOf(vault.choosePassphrase({ passphrase: weak }))).code).toBe(
    'WEAK_PASSPHRASE',
  )
  expect(await vault.state()).toMatchObject({ state: 'unset' })
  await vault.choosePassphrase({ passphrase: 'quartz lantern meadow' })
  await vault.lock()
  expect((await problemOf(vault.unlock({ passphrase: weak }))).code).toBe('WRONG_PASSPHRASE')
})
