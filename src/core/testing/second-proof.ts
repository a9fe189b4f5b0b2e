import { proofNeededSchema } from '../../contract/app/second-proof.ts'
import { problemOf } from './core.ts'
import type { TestCore } from './core.ts'

/**
 * Makes a call, gives the second proof that it asks for, and makes it again, as the page does.
 *
 * @param call Passes the proof on in its input.
 */
export async function withProof<Result>(
  { secondProof }: TestCore['ask'],
  passphrase: string,
  call: (proof: { proof?: string }) => Promise<Result>,
): Promise<Result> {
  const { challenge } = proofNeededSchema.parse((await problemOf(call({}))).details)
  await secondProof.prove({ challenge, passphrase })
  return call({ proof: challenge })
}
