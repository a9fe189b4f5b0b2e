import { isContractProcedure } from '@orpc/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ProvenAction } from '../../../contract/base.ts'
import { contract } from '../../../contract/index.ts'
import { proofNeededSchema } from '../../../contract/app/second-proof.ts'
import { formatMessage } from '../../../contract/localization/localized.ts'
import { authority } from '../../service-client/testing/keys-example.ts'
import { temporaryFolder } from '../../testing/context.ts'
import { problemOf, startTestCore } from '../../testing/core.ts'
import type { TestCore } from '../../testing/core.ts'
import { memoryKeychain, missingKeychain } from '../../testing/keychains.ts'
import { manualClock } from '../../testing/manual-clock.ts'
import type { ManualClock } from '../../testing/manual-clock.ts'
import { withProof } from '../../testing/second-proof.ts'
import type { Keychain } from '../../../platform/keychain/keychain.ts'

const passphrase = 'quartz lantern meadow violin'
const intruders = 'a passphrase of an intruder'
const proxy = { use: 'own' as const, address: 'http://203.0.113.7:8080', except: '' }

let folder: ReturnType<typeof temporaryFolder>
let clock: ManualClock
let harness: TestCore

async function start(keychain: Keychain): Promise<void> {
  harness = await startTestCore(folder.path, keychain, {
    clock,
    passphraseCost: { N: 2 ** 10, r: 8, p: 1 },
  })
}
/** A console whose vault has a passphrase and is open, as an intruder finds it. */
async function startWithPassphrase(): Promise<void> {
  await start(missingKeychain())
  await harness.ask.vault.choosePassphrase({ passphrase })
}
const withSecurityPassphrase = async (): Promise<void> => {
  await start(memoryKeychain())
  await harness.ask.secondProof.setPassphrase({ passphrase })
}
const codeOf = async (work: Promise<unknown>): Promise<string> => (await problemOf(work)).code
const setProxy = (given: { proof?: string } = {}, chosen = proxy) =>
  harness.ask.network.setProxy({ proxy: chosen, ...given })
async function challengeOf(work: Promise<unknown>): Promise<string> {
  return proofNeededSchema.parse((await problemOf(work)).details).challenge
}
async function recorded(): Promise<string[]> {
  const { rows } = await harness.ask.activity.list({})
  return rows.map(({ what, detail }) =>
    [what, detail].flatMap((each) => (each === null ? [] : formatMessage(each))).join(': '),
  )
}

beforeEach(() => {
  folder = temporaryFolder()
  clock = manualClock()
})
afterEach(async () => {
  await harness.close()
  folder.remove()
})

/** Every procedure that needs a proof, by its path. */
function proven(router: object = contract, path: string[] = []): [string, ProvenAction][] {
  return Object.entries(router).flatMap(([name, part]: [string, object]) => {
    if (!isContractProcedure(part)) return proven(part, [...path, name])
    const { proof } = part['~orpc'].meta as { proof?: ProvenAction }
    return proof === undefined ? [] : [[[...path, name].join('.'), proof] as [string, ProvenAction]]
  })
}

it('is required for every procedure that gives away keys, redirects a connection or deletes an account', async () => {
  expect(Object.fromEntries(proven())).toEqual({
    'backup.create': 'back-up',
    'backup.restore': 'restore',
    'accounts.remove': 'remove-account',
    'accounts.confirmAddress': 'confirm-address',
    'vault.rekey': 'replace-vault-key',
    'vault.changeProtection': 'protect-vault',
    'vault.recoveryCopy': 'copy-vault-key',
    'vault.export': 'export-keys',
    'secondProof.setPassphrase': 'change-proof',
    'secondProof.removePassphrase': 'change-proof',
    'offers.withdrawals.export': 'export-keys',
    'network.setProxy': 'set-proxy',
    'network.addAuthorities': 'add-authority',
    'network.adoptRestored': 'add-authority',
    'imports.exportUnaccepted': 'export-keys',
    'imports.exportRemaining': 'export-keys',
    'imports.exportRefused': 'export-keys',
    'disputes.evidenceUnmasked': 'export-keys',
    'orders.exportKeys': 'export-keys',
    'orders.exportSelectedKeys': 'export-keys',
  })
  await withSecurityPassphrase()
  for (const [path, action] of proven()) {
    const call = path
      .split('.')
      .reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], harness.ask)
    const problem = await problemOf((call as (input: unknown) => Promise<unknown>)({}))
    expect([path, problem.code, problem.details?.['action']]).toEqual([
      path,
      'PROOF_NEEDED',
      action,
    ])
  }
})

describe('a session that was taken over', () => {
  it('exports no keys, encrypted or not', async () => {
    await startWithPassphrase()
    const { vault } = harness.ask
    for (const form of [
      { form: 'plain', typed: 'export unencrypted' },
      { form: 'sealed', passphrase: intruders },
    ] as const)
      expect(await codeOf(vault.export(form))).toBe('PROOF_NEEDED')
  })

  it('neither creates nor restores a backup', async () => {
    await startWithPassphrase()
    expect(await codeOf(harness.ask.backup.create({ passphrase: intruders }))).toBe('PROOF_NEEDED')
    expect(await codeOf(harness.ask.backup.restore({ restoreId: 'x' }))).toBe('PROOF_NEEDED')
  })

  it('sets no proxy and adds no authority', async () => {
    await startWithPassphrase()
    expect(await codeOf(setProxy())).toBe('PROOF_NEEDED')
    const added = harness.ask.network.addAuthorities({ pem: authority })
    expect(await codeOf(added)).toBe('PROOF_NEEDED')
    expect(await harness.ask.network.state()).toEqual({
      proxy: { use: 'system' },
      authorities: [],
      restored: null,
    })
  })

  it('sends no API key to the address of a restored backup', async () => {
    await startWithPassphrase()
    const confirmed = harness.ask.accounts.confirmAddress({ accountId: 'a' })
    expect(await codeOf(confirmed)).toBe('PROOF_NEEDED')
  })

  it('removes no account', async () => {
    await startWithPassphrase()
    expect(await codeOf(harness.ask.accounts.remove({ accountId: 'a' }))).toBe('PROOF_NEEDED')
  })

  it('copies, replaces and moves no vault key, although the keychain has it', async () => {
    await withSecurityPassphrase()
    const { vault } = harness.ask
    for (const attempt of [
      () => vault.recoveryCopy({ passphrase: null, wrapWith: intruders }),
      () => vault.rekey({ passphrase: null }),
      () =>
        vault.changeProtection({
          passphrase: null,
          as: { kept: 'passphrase', passphrase: intruders },
        }),
    ])
      expect(await codeOf(attempt())).toBe('PROOF_NEEDED')
    expect(await vault.state()).toMatchObject({ kept: 'keychain' })
  })

  it('neither changes nor removes the second proof', async () => {
    await withSecurityPassphrase()
    const { secondProof } = harness.ask
    expect(await codeOf(secondProof.setPassphrase({ passphrase: intruders }))).toBe('PROOF_NEEDED')
    expect(await codeOf(secondProof.removePassphrase())).toBe('PROOF_NEEDED')
    expect(await secondProof.state()).toMatchObject({ method: 'security-passphrase' })
  })

  it('can’t set the first one unnoticed', async () => {
    await start(memoryKeychain())
    await harness.ask.secondProof.setPassphrase({ passphrase: intruders })
    expect(await recorded()).toContain(
      'Second proof set: A security passphrase is required from now on',
    )
    const [notice] = await harness.ask.notices.list()
    expect(notice).toMatchObject({ kind: 'security', seen: false })
  })

  it('guesses the security passphrase no faster than the vault’s', async () => {
    await withSecurityPassphrase()
    const codes: string[] = []
    for (let guess = 0; guess < 20; guess += 1) {
      const challenge = await challengeOf(setProxy())
      codes.push(
        await codeOf(harness.ask.secondProof.prove({ challenge, passphrase: `guess ${guess}` })),
      )
    }
    expect(codes.filter((code) => code === 'WRONG_PASSPHRASE')).toHaveLength(3)
    expect(codes.filter((code) => code === 'TOO_MANY_ATTEMPTS')).toHaveLength(17)
  })
})

describe('a proof', () => {
  beforeEach(startWithPassphrase)

  it('lets its call pass, and is recorded with the action', async () => {
    const { proxy: now } = await withProof(harness.ask, passphrase, (given) => setProxy(given))
    expect(now).toEqual(proxy)
    expect(await recorded()).toEqual([
      'Proxy changed: Keydesk connects through http://203.0.113.7:8080',
      'Passphrase confirmed: Change the proxy',
    ])
  })

  it('is for one call with one input', async () => {
    const challenge = await challengeOf(setProxy())
    await harness.ask.secondProof.prove({ challenge, passphrase })
    const given = { proof: challenge }
    const elsewhere = { ...proxy, address: 'http://203.0.113.66:8080' }
    expect(await codeOf(setProxy(given, elsewhere))).toBe('PROOF_NEEDED')
    const removal = harness.ask.accounts.remove({ accountId: 'a', ...given })
    expect(await codeOf(removal)).toBe('PROOF_NEEDED')
    await setProxy(given)
    expect(await codeOf(setProxy(given)), 'once').toBe('PROOF_NEEDED')
  })

  it('is not the challenge itself, before it is answered', async () => {
    const challenge = await challengeOf(setProxy())
    expect(await codeOf(setProxy({ proof: challenge }))).toBe('PROOF_NEEDED')
    const wrong = harness.ask.secondProof.prove({ challenge, passphrase: 'another' })
    expect(await codeOf(wrong)).toBe('WRONG_PASSPHRASE')
    expect(await codeOf(setProxy({ proof: challenge }))).toBe('PROOF_NEEDED')
  })

  it('expires after a minute, whatever the computer’s clock says', async () => {
    const challenge = await challengeOf(setProxy())
    await harness.ask.secondProof.prove({ challenge, passphrase })
    clock.advance(61_000)
    clock.setBy(-61_000)
    expect(await codeOf(setProxy({ proof: challenge }))).toBe('PROOF_NEEDED')
  })

  it('ends when the vault is locked', async () => {
    const challenge = await challengeOf(setProxy())
    await harness.ask.secondProof.prove({ challenge, passphrase })
    await harness.ask.vault.lock()
    expect(await codeOf(setProxy({ proof: challenge }))).toBe('PROOF_NEEDED')
  })

  it('can’t be given for a challenge that is five minutes old', async () => {
    const challenge = await challengeOf(setProxy())
    clock.advance(300_001)
    expect(await codeOf(harness.ask.secondProof.prove({ challenge, passphrase }))).toBe('NOT_FOUND')
  })

  it('can’t be given for a challenge that 32 others followed', async () => {
    const challenge = await challengeOf(setProxy())
    for (let more = 0; more < 32; more += 1) await challengeOf(setProxy())
    expect(await codeOf(harness.ask.secondProof.prove({ challenge, passphrase }))).toBe('NOT_FOUND')
  })
})

it('asks for nothing while none is set up, and reports what an intruder could stay with', async () => {
  await start(memoryKeychain())
  await setProxy()
  const [notice] = await harness.ask.notices.list()
  expect(notice?.text && formatMessage(notice.text)).toBe('Change the proxy')
  expect(await harness.ask.secondProof.state()).toEqual({
    method: 'none',
    canSet: true,
    setAt: null,
  })
})

it('can’t be set apart from the passphrase of a vault that has one', async () => {
  await start(missingKeychain())
  const { secondProof, vault } = harness.ask
  expect(await codeOf(secondProof.setPassphrase({ passphrase: intruders }))).toBe('CONFLICT')
  await vault.choosePassphrase({ passphrase })
  const again = withProof(harness.ask, passphrase, (given) =>
    secondProof.setPassphrase({ passphrase: intruders, ...given }),
  )
  expect(await codeOf(again)).toBe('CONFLICT')
})

it('survives a restart and a move between keychain and passphrase', async () => {
  const keychain = memoryKeychain()
  await start(keychain)
  await harness.ask.secondProof.setPassphrase({ passphrase })
  await harness.close()
  await start(keychain)
  const { vault, secondProof } = harness.ask
  const chosen = 'violin ember quartz lantern'
  await withProof(harness.ask, passphrase, (given) =>
    vault.changeProtection({
      passphrase: null,
      as: { kept: 'passphrase', passphrase: chosen },
      ...given,
    }),
  )
  expect(await secondProof.state()).toMatchObject({ method: 'vault-passphrase' })
  await vault.changeProtection({ passphrase: chosen, as: { kept: 'keychain' } })
  expect(await secondProof.state()).toMatchObject({ method: 'security-passphrase' })
  await withProof(harness.ask, chosen, (given) => setProxy(given))
})

it('ends with the recovery copy, for a person who lost the passphrase', async () => {
  await start(memoryKeychain())
  const copy = 'meadow violin harbor ember'
  const { base64 } = await harness.ask.vault.recoveryCopy({ passphrase: null, wrapWith: copy })
  await harness.ask.secondProof.setPassphrase({ passphrase })
  await harness.ask.vault.recover({ base64, passphrase: copy, newPassphrase: null })
  expect(await harness.ask.secondProof.state()).toMatchObject({ method: 'none' })
  expect(await recorded()).toContain('Second proof removed')
})
