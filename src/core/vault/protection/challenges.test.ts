import { beforeEach, describe, expect, it } from 'vitest'
import type { ProvenAction } from '../../../contract/base.ts'
import { proofNeededSchema } from '../../../contract/app/second-proof.ts'
import { Failure, failure } from '../../failure.ts'
import { systemRandomness } from '../../randomness.ts'
import { problemOfFailure } from '../../testing/failures.ts'
import { manualClock } from '../../testing/manual-clock.ts'
import { recordedSecurity } from '../testing/recorded-security.ts'
import { createSecondProof } from './second-proof.ts'

const right = 'quartz lantern meadow violin'
const MINUTE_MS = 60_000

/** A second proof whose vault and security passphrase are doubles. */
function proofHarness() {
  const clock = manualClock()
  const { log, entries, notices } = recordedSecurity()
  const harness = {
    clock,
    entries,
    notices,
    kept: 'keychain' as 'keychain' | 'passphrase' | null,
    setAt: null as number | null,
    topics: [] as string[],
    checked: 0,
    /** What happens while a passphrase is checked. */
    whileChecking: (): void => {},
  }
  const check = async (given: string): Promise<void> => {
    harness.checked += 1
    harness.whileChecking()
    if (given !== right) throw failure('WRONG_PASSPHRASE', 'Wrong.', 'Enter it again.')
  }
  const proof = createSecondProof({
    clock,
    random: systemRandomness,
    changes: {
      notify: (topic) => void harness.topics.push(topic),
      listen: () => expect.unreachable('nothing reads changes'),
    },
    log,
    attempts: { run: (verify) => verify() },
    passphrase: {
      set: async () => void (harness.setAt = clock.now()),
      setAt: () => harness.setAt,
      remove() {
        const wasSet = harness.setAt !== null
        harness.setAt = null
        return wasSet
      },
      verify: check,
    },
    kept: () => harness.kept,
    verifyVaultPassphrase: check,
  })
  return { harness, proof }
}

let harness: ReturnType<typeof proofHarness>['harness']
let proof: ReturnType<typeof proofHarness>['proof']
beforeEach(() => {
  ;({ harness, proof } = proofHarness())
})

/** The challenge that the call fails with; null if it passes. */
function ask(input: unknown = {}, action: ProvenAction = 'set-proxy'): string | null {
  try {
    proof.require(action, 'some.call', input)
    return null
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    expect(error.problem).toMatchObject({
      code: 'PROOF_NEEDED',
      what: 'This needs your passphrase.',
      effect: 'Nothing was changed.',
      next: 'Try again and enter it.',
    })
    return proofNeededSchema.parse(error.problem.details).challenge
  }
}
const answer = (challenge: string | null, given = right): Promise<void> =>
  proof.prove(challenge ?? '', given)
const expired = {
  code: 'NOT_FOUND',
  what: 'This took too long.',
  effect: 'Nothing was changed.',
  next: 'Start the action again.',
}

describe('a challenge', () => {
  beforeEach(() => {
    harness.setAt = 1
  })

  it('can be answered for five minutes, and not at their end', async () => {
    const [inTime, late] = [ask(), ask()]
    harness.clock.advance(5 * MINUTE_MS - 1)
    await answer(inTime)
    harness.clock.advance(1)
    expect(await problemOfFailure(answer(late))).toMatchObject(expired)
  })

  it('lets its call pass for a minute after the answer, and not at the end of it', async () => {
    const [inTime, late] = [ask(), ask()]
    await answer(inTime)
    await answer(late)
    harness.clock.advance(MINUTE_MS - 1)
    expect(ask({ proof: inTime })).toBeNull()
    harness.clock.advance(1)
    expect(ask({ proof: late })).not.toBeNull()
  })

  it('has no passphrase checked after it expired', async () => {
    const late = ask()
    harness.clock.advance(5 * MINUTE_MS)
    expect(await problemOfFailure(answer(late, 'a guess'))).toMatchObject(expired)
    expect(harness.checked).toBe(0)
  })

  it('isn’t answered if it expires while the passphrase is checked', async () => {
    const late = ask()
    harness.whileChecking = () => harness.clock.advance(5 * MINUTE_MS)
    expect(await problemOfFailure(answer(late))).toMatchObject(expired)
  })

  it('can still be answered after 31 others', async () => {
    const first = ask()
    for (let more = 0; more < 31; more += 1) ask()
    await answer(first)
    expect(ask({ proof: first })).toBeNull()
  })

  it.each([undefined, null, 'text', { proof: 7 }])('is given for the input %j', (input) => {
    expect(ask(input)).not.toBeNull()
  })

  it('makes room for another one when its proof expired', async () => {
    const [open, proven] = [ask(), ask()]
    await answer(proven)
    harness.clock.advance(MINUTE_MS)
    expect(ask({ proof: proven })).not.toBeNull()
    for (let more = 0; more < 30; more += 1) ask()
    await answer(open)
    expect(ask({ proof: open })).toBeNull()
  })

  it.each<[string, () => unknown]>([
    ['the passphrase is set again', () => proof.setPassphrase(right)],
    ['what protects the vault changes', () => proof.protectionChanged()],
    ['the vault is locked', () => proof.forget()],
  ])('is forgotten, with its proof, when %s', async (_event, happen) => {
    const given = ask()
    await answer(given)
    await happen()
    expect(ask({ proof: given })).not.toBeNull()
  })
})

it.each<[ProvenAction, boolean]>([
  ['copy-vault-key', false],
  ['protect-vault', false],
  ['replace-vault-key', false],
  ['export-keys', true],
  ['change-proof', true],
])(
  'with a passphrase of the vault, the action %s needs a separate proof: %s',
  (action, isNeeded) => {
    harness.kept = 'passphrase'
    expect(ask({}, action) !== null).toBe(isNeeded)
  },
)

it.each<[ProvenAction, string | null]>([
  ['copy-vault-key', 'Make a recovery copy'],
  ['protect-vault', 'Change what protects the vault'],
  ['add-authority', 'Add a certificate authority'],
  ['set-proxy', 'Change the proxy'],
  ['confirm-address', 'Send an API key to a changed address'],
  ['change-proof', 'Change the second proof'],
  ['export-keys', null],
  ['remove-account', null],
])('without a second proof, reports the action %s as: %s', (action, text) => {
  proof.reportUnproven(action, 'security-passphrase')
  expect(harness.notices).toEqual([])
  proof.reportUnproven(action, 'none')
  expect(harness.notices).toEqual(
    text === null
      ? []
      : [
          `Done without a second proof. If it wasn’t you, check Activity | ${text} | /settings/security`,
        ],
  )
})

it('reports when the security passphrase was set, unless the vault has its own', async () => {
  const setAt = harness.clock.now()
  expect(await proof.setPassphrase(right)).toEqual({
    method: 'security-passphrase',
    canSet: true,
    setAt,
  })
  harness.kept = 'passphrase'
  expect(proof.state()).toEqual({ method: 'vault-passphrase', canSet: false, setAt: null })
})

it.each([
  [null, 'Choose a passphrase for the vault.'],
  ['passphrase' as const, 'Change the vault’s passphrase.'],
])(
  'rejects a security passphrase unless the keychain has the vault’s key (here: %s): %s',
  async (kept, next) => {
    harness.kept = kept
    expect(await problemOfFailure(proof.setPassphrase(right))).toMatchObject({
      code: 'CONFLICT',
      what: 'The vault’s passphrase is the second proof.',
      effect: 'Nothing was changed.',
      next,
    })
    expect(harness.setAt).toBeNull()
  },
)

it('notifies people of a removed proof once, and pages of every change', async () => {
  await proof.setPassphrase(right)
  proof.removePassphrase()
  proof.removePassphrase()
  expect(harness.entries.at(-1)).toBe('Second proof removed | ok')
  expect(harness.notices).toEqual([
    expect.stringMatching(/^Second proof removed \| .+ \| \/settings\/security$/),
  ])
  proof.protectionChanged()
  expect(harness.topics).toEqual(['vault', 'vault', 'vault', 'vault'])
})
