import { createHash } from 'node:crypto'
import type { ProvenAction } from '../../../contract/base.ts'
import type {
  ProofMethod,
  ProofNeeded,
  SecondProofState,
} from '../../../contract/app/second-proof.ts'
import { localized } from '../../../contract/localization/localized.ts'
import { MINUTE_MS } from '../../../../server/api/time.ts'
import type { Changes } from '../../changes.ts'
import type { Clock } from '../../clock.ts'
import { failure } from '../../failure.ts'
import type { Failure } from '../../failure.ts'
import type { Randomness } from '../../randomness.ts'
import type { StoredKey } from '../store.ts'
import type { Attempts } from './attempts.ts'
import type { SecurityLog } from './security-log.ts'
import type { SecurityPassphrase } from './security-passphrase.ts'

/** How long a challenge can be answered, and how long the answer is valid. */
const ANSWER_MS = 5 * MINUTE_MS
const PROVEN_MS = MINUTE_MS
/** Challenges that are remembered; the oldest is dropped. */
const MOST_CHALLENGES = 32

/** These ask for the vault's passphrase themselves, because they need it to open the data key. */
const asksForPassphrase: ReadonlySet<ProvenAction> = new Set([
  'copy-vault-key',
  'protect-vault',
  'replace-vault-key',
])
/** Without a second proof, these are also reported as a notice: an intruder could stay with them. */
const isReported: ReadonlySet<ProvenAction> = new Set([
  'copy-vault-key',
  'protect-vault',
  'add-authority',
  'set-proxy',
  'confirm-address',
  'change-proof',
])

type Challenge = ProofNeeded & {
  /** The call that the proof is for, with its input. */
  call: string
  isProven: boolean
  /** On the monotonic clock. */
  until: number
}

type Parts = {
  clock: Pick<Clock, 'monotonic'>
  random: Randomness
  changes: Changes
  log: SecurityLog
  attempts: Attempts
  passphrase: SecurityPassphrase
  /** Where the vault's data key is; null before there is one. */
  kept: () => StoredKey['kept'] | null
  /** Checks and counts the vault's passphrase. Throws Failure `WRONG_PASSPHRASE`. */
  verifyVaultPassphrase: (passphrase: string) => Promise<void>
}

const callOf = (path: string, input: unknown): string => {
  const { proof: _proof, ...rest } = isObject(input) ? input : {}
  return createHash('sha256')
    .update(JSON.stringify([path, rest]))
    .digest('hex')
}
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/**
 * The second proof: whoever took over a session can't export keys, change what protects them,
 * redirect the connection or delete an account. A proof is for one call with one input, is used
 * once, and expires.
 */
export function createSecondProof(parts: Parts) {
  const { clock, passphrase, log, kept } = parts
  const challenges = new Map<string, Challenge>()

  function method(): ProofMethod {
    if (kept() === 'passphrase') return 'vault-passphrase'
    return passphrase.setAt() === null ? 'none' : 'security-passphrase'
  }
  const state = (): SecondProofState => ({
    method: method(),
    canSet: kept() === 'keychain',
    setAt: kept() === 'passphrase' ? null : passphrase.setAt(),
  })
  function changed(): SecondProofState {
    challenges.clear()
    parts.changes.notify('vault')
    return state()
  }
  const isNeeded = (action: ProvenAction): boolean =>
    method() !== 'none' && !(kept() === 'passphrase' && asksForPassphrase.has(action))

  /** The challenge if it can still be used; an expired one is forgotten. */
  function find(id: unknown): Challenge | undefined {
    const found = typeof id === 'string' ? challenges.get(id) : undefined
    if (found === undefined || found.until > clock.monotonic()) return found
    challenges.delete(found.challenge)
    return undefined
  }
  function ask(action: ProvenAction, call: string): Failure {
    const challenge = parts.random.id()
    const until = clock.monotonic() + ANSWER_MS
    challenges.set(challenge, { challenge, action, method: method(), call, isProven: false, until })
    const [oldest] = challenges.keys()
    if (challenges.size > MOST_CHALLENGES && oldest !== undefined) challenges.delete(oldest)
    const details: ProofNeeded = { challenge, action, method: method() }
    return failure('PROOF_NEEDED', 'This needs your passphrase.', 'Try again and enter it.', {
      effect: 'Nothing was changed.',
      details,
    })
  }

  return {
    state,
    /**
     * Lets a call pass with a proof for exactly this call, or if none is needed.
     *
     * @param path The procedure's path in the contract.
     * @throws Failure `PROOF_NEEDED` with a new challenge
     */
    require(action: ProvenAction, path: string, input: unknown): void {
      if (!isNeeded(action)) return
      const call = callOf(path, input)
      const given = find(isObject(input) ? input['proof'] : undefined)
      if (given === undefined || !given.isProven || given.call !== call) throw ask(action, call)
      challenges.delete(given.challenge)
      log.note(localized('vault.proof-given'), localized(`vault.for-${action}`))
    },
    /** Reports an action that was carried out without a proof, because none is set up. */
    reportUnproven(action: ProvenAction, methodBefore: ProofMethod): void {
      if (methodBefore === 'none' && isReported.has(action))
        log.alert(localized('vault.unproven'), localized(`vault.for-${action}`))
    },
    /**
     * Answers a challenge.
     *
     * @throws Failure `WRONG_PASSPHRASE`, `TOO_MANY_ATTEMPTS`, or `NOT_FOUND` if it has expired
     */
    async prove(id: string, given: string): Promise<void> {
      const expired = (): Failure =>
        failure('NOT_FOUND', 'This took too long.', 'Start the action again.', {
          effect: 'Nothing was changed.',
        })
      if (find(id) === undefined) throw expired()
      if (kept() === 'passphrase') await parts.verifyVaultPassphrase(given)
      else await parts.attempts.run(() => passphrase.verify(given))
      const challenge = find(id)
      if (challenge === undefined) throw expired()
      challenge.isProven = true
      challenge.until = clock.monotonic() + PROVEN_MS
    },
    async setPassphrase(chosen: string): Promise<SecondProofState> {
      if (kept() !== 'keychain')
        throw failure(
          'CONFLICT',
          'The vault’s passphrase is the second proof.',
          kept() === null ? 'Choose a passphrase for the vault.' : 'Change the vault’s passphrase.',
          { effect: 'Nothing was changed.' },
        )
      await passphrase.set(chosen)
      log.note(localized('vault.proof-set'), localized('vault.proof-security-passphrase'))
      return changed()
    },
    removePassphrase(): SecondProofState {
      if (passphrase.remove()) {
        log.note(localized('vault.proof-removed'), null)
        log.alert(localized('vault.proof-removed'), localized('vault.proof-removed-effect'))
      }
      return changed()
    },
    /** The vault's passphrase, which the keychain replaces, stays the second proof. */
    adopt: (vaultPassphrase: string): Promise<void> => passphrase.set(vaultPassphrase),
    /** Forgets every challenge and proof: the vault was locked. */
    forget: (): void => challenges.clear(),
    /** Forgets proofs and, if the vault has a passphrase again, the separate one. */
    protectionChanged(): void {
      if (kept() === 'passphrase') passphrase.remove()
      changed()
    },
  }
}
export type SecondProof = ReturnType<typeof createSecondProof>
