import type { Context } from '../context.ts'
import type { Idempotency } from '../orders/idempotency.ts'
import type { ApiKeys } from '../access/api-keys.ts'
import type { DueWork } from './due-work.ts'

const MINUTE = 60_000

/**
 * Deletes stored responses after their 24 hours. Runs at most once a minute, for everything that
 * has expired by then.
 */
export function createResponseExpiry({ store }: Context, idempotency: Idempotency): DueWork {
  return {
    nextAt() {
      const expiry = store.idempotency.nextExpiry()
      return expiry === null ? null : Math.ceil(expiry / MINUTE) * MINUTE
    },
    run: (at) => idempotency.purge(at),
  }
}

/** Stores once a minute which keys were used. */
export function createKeyUseFlush({ clock }: Context, keys: ApiKeys): DueWork {
  let last = clock.now()
  return {
    nextAt: () => (keys.unflushed() === 0 ? null : last + MINUTE),
    run(at) {
      keys.flush()
      last = at
    },
  }
}
