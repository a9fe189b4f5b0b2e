import { z } from 'zod'
import { failure } from '../failure.ts'
import type { Randomness } from '../randomness.ts'
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
 * The data key as a file, wrapped by a passphrase of its own. `proof` tells which vault it is of
 * and nothing else.
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
 * The data key of a recovery copy. Throws Failure `INVALID_INPUT` for another file,
 * `WRONG_PASSPHRASE`.
 */
export async function openRecovery(copy: Buffer, passphrase: string): Promise<Buffer> {
  const found = recoverySchema.safeParse(jsonOf(copy.toString('utf8')))
  if (!found.success)
    throw failure(
      'INVALID_INPUT',
      'This file is no recovery copy of Keydesk.',
      'Choose the file that was saved as recovery copy.',
      { effect: 'Nothing was changed.' },
    )
  const dataKey = await unwrapKey(passphrase, found.data, found.data.kdf)
  if (dataKey === null)
    throw failure(
      'WRONG_PASSPHRASE',
      'This is not the passphrase of the recovery copy, or the file was changed.',
      'Type the passphrase that was chosen for the copy.',
    )
  return dataKey
}

/** What a JSON text says; undefined for anything else. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
