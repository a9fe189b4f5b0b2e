import { z } from 'zod'
import { failure } from '../../failure.ts'
import type { Randomness } from '../../randomness.ts'
import { costSchema, unwrapKey, wrapKey } from './passphrase.ts'
import type { ScryptCost } from './passphrase.ts'

const FORMAT = 'keydesk-recovery'
const base64 = z.string().transform((text) => Buffer.from(text, 'base64'))
const recoverySchema = z.object({
  format: z.literal(FORMAT),
  version: z.literal(1),
  kdf: costSchema,
  salt: base64,
  wrapped: base64,
})

/**
 * The data key as a file, wrapped with its own passphrase. `proof` identifies its vault and reveals
 * nothing else.
 */
export async function writeRecovery(
  dataKey: Buffer,
  proof: Buffer,
  passphrase: string,
  { random, cost, now }: { random: Randomness; cost: ScryptCost; now: number },
): Promise<Buffer> {
  const { salt, wrapped } = await wrapKey(
    passphrase,
    dataKey,
    random.bytes(16),
    random.bytes(12),
    cost,
  )
  return Buffer.from(
    `${JSON.stringify(
      {
        format: FORMAT,
        version: 1,
        madeAt: new Date(now).toISOString(),
        vault: proof.toString('hex').slice(0, 16),
        kdf: { name: 'scrypt', ...cost },
        salt: salt.toString('base64'),
        wrapped: wrapped.toString('base64'),
      },
      null,
      2,
    )}\n`,
  )
}

/**
 * The data key in a recovery copy. Throws Failure `INVALID_INPUT` for a file of another kind, or
 * `WRONG_PASSPHRASE`.
 */
export async function openRecovery(copy: Buffer, passphrase: string): Promise<Buffer> {
  const found = recoverySchema.safeParse(jsonOf(copy.toString('utf8')))
  if (!found.success)
    throw failure(
      'INVALID_INPUT',
      'This file isn’t a Keydesk recovery copy.',
      'Choose the file that you saved as the recovery copy.',
      { effect: 'Nothing was changed.' },
    )
  const dataKey = await unwrapKey(passphrase, { ...found.data, cost: found.data.kdf })
  if (dataKey === null)
    throw failure(
      'WRONG_PASSPHRASE',
      'The passphrase is wrong, or the recovery copy was modified.',
      'Enter the passphrase that was chosen for this copy.',
    )
  return dataKey
}

/** The parsed JSON text; undefined when it isn't JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
