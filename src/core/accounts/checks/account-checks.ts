import type { ProblemCode } from '../../../contract/problem-codes.ts'
import type { Clock } from '../../clock.ts'
import { Failure } from '../../failure.ts'
import { kindOfKey } from './key-check.ts'
import type { LiveAccount } from '../live-account.ts'
import type { ProveSandbox } from './sandbox-proof.ts'
import type { createAccountStore } from '../store.ts'

/**
 * Rejections that the service can lift without another key. Keydesk asks again at this interval, in
 * milliseconds.
 */
const RECHECK_MS = 5 * 60_000
const liftedByService: ReadonlySet<ProblemCode> = new Set(['ACCOUNT_NOT_ACTIVE', 'IP_NOT_ALLOWED'])

/**
 * How long a sandbox has to prove that it is one, in milliseconds. Nothing waits for it.
 */
const PROOF_TIMEOUT_MS = 20_000

type Parts = {
  clock: Clock
  store: ReturnType<typeof createAccountStore>
  report: (where: string, error: unknown) => void
  /** Whether this account still exists. */
  isPresent: (live: LiveAccount) => boolean
  proveSandbox: ProveSandbox
  /** Called when an account has changed. */
  changed: (live: LiveAccount) => void
}

/** Checks accounts with the service: on request, when they start, and while it rejects them. */
export function createAccountChecks({
  clock,
  store,
  report,
  isPresent,
  proveSandbox,
  changed,
}: Parts) {
  /**
   * Checks the account to detect a rejected key early and to learn what the service accepts. Asks
   * again whether its address is a sandbox.
   */
  async function check(
    live: LiveAccount,
    priority: 'person' | 'watch',
    signal?: AbortSignal,
  ): Promise<void> {
    const options = { priority, ...(signal !== undefined && { signal }) }
    const me =
      live.record.role === 'partner' ? null : await live.connection.call('getSeller', {}, options)
    if (me === null) await live.connection.call('ping', {}, options)
    void proveAgain(live)
    if (me?.idempotency === undefined || me.idempotency === live.record.idempotency) return
    live.record = { ...live.record, idempotency: me.idempotency }
    store.put(live.record)
  }

  /**
   * Asks the address of an account again whether it is a sandbox, because another program may use
   * the port now. A service that can't prove it makes the account LIVE or TEST by its key.
   */
  async function proveAgain(live: LiveAccount): Promise<void> {
    const { record, key } = live
    const found = await proveSandbox(record.baseUrl, PROOF_TIMEOUT_MS)
    if (found.kind === 'silent' || !isPresent(live) || live.record.baseUrl !== record.baseUrl)
      return
    live.connection.enforceRates(found.kind !== 'proven' || found.countsRequests)
    if (record.demo !== null || key === null) return
    const mode = found.kind === 'proven' ? 'sandbox' : kindOfKey(key).mode
    if (mode === live.record.mode) return
    live.record = { ...live.record, mode }
    store.put(live.record)
    changed(live)
  }

  async function checkWhenReady(live: LiveAccount, signal: AbortSignal): Promise<void> {
    try {
      await live.connection.ready(signal)
      await check(live, 'watch', signal)
    } catch (error) {
      if (!(error instanceof Failure)) report('accounts', error)
    }
  }

  /**
   * Asks again later whether the account is active or the network is allowed. The response updates
   * the state.
   */
  function scheduleRecheck(live: LiveAccount): void {
    live.cancelRecheck()
    if (live.rejection === null || !liftedByService.has(live.rejection.problem.code)) return
    live.cancelRecheck = clock.after(RECHECK_MS, () => {
      if (live.rejection === null || !isPresent(live)) return
      // With a person's priority, because calls of other priorities fail while the key is rejected.
      void check(live, 'person').catch((error: unknown) => {
        if (!(error instanceof Failure)) return void report('accounts', error)
        scheduleRecheck(live)
      })
    })
  }

  return { check, checkWhenReady, scheduleRecheck }
}
