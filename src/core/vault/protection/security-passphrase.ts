import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../clock.ts'
import { failure } from '../../failure.ts'
import type { Randomness } from '../../randomness.ts'
import { deriveFrom } from '../keys/passphrase.ts'
import type { ScryptCost } from '../keys/passphrase.ts'
import type { createSecurityPassphraseStore } from '../store.ts'

type Parts = {
  store: ReturnType<typeof createSecurityPassphraseStore>
  clock: Pick<Clock, 'now'>
  random: Randomness
  cost: ScryptCost
}

/** The stored part of a passphrase: it recognizes the passphrase and opens nothing. */
async function verifierOf(passphrase: string, salt: Buffer, cost: ScryptCost): Promise<Buffer> {
  const key = await deriveFrom(passphrase, salt, cost)
  const verifier = createHmac('sha256', key).update('keydesk security passphrase').digest()
  key.fill(0)
  return verifier
}

/** A passphrase that protects no data: it only proves who is at the keyboard. */
export function createSecurityPassphrase({ store, clock, random, cost }: Parts) {
  async function set(passphrase: string, setAt = clock.now()): Promise<void> {
    const salt = random.bytes(16)
    store.write({ salt, cost, verifier: await verifierOf(passphrase, salt, cost), setAt })
  }
  return {
    set: (passphrase: string): Promise<void> => set(passphrase),
    setAt: (): number | null => store.read()?.setAt ?? null,
    /** Returns whether there was one. */
    remove: (): boolean => store.remove(),
    /** Throws Failure `WRONG_PASSPHRASE`. Stores the passphrase again if its cost was lower. */
    async verify(passphrase: string): Promise<void> {
      const stored = store.read()
      if (
        stored === null ||
        !timingSafeEqual(stored.verifier, await verifierOf(passphrase, stored.salt, stored.cost))
      )
        throw failure(
          'WRONG_PASSPHRASE',
          'The security passphrase is wrong.',
          'Enter it again. If it’s lost, unlock the vault with its recovery copy, which removes it.',
        )
      if (stored.cost.N < cost.N) await set(passphrase, stored.setAt)
    },
  }
}
export type SecurityPassphrase = ReturnType<typeof createSecurityPassphrase>
