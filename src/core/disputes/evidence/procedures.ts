import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type { DisputeDetail } from '../../../contract/disputes/dispute-records.ts'
import type { Contract } from '../../../contract/index.ts'
import { localized } from '../../../contract/localization/localized.ts'
import { Failure } from '../../failure.ts'
import { confirmPlainExport } from '../../vault/vault.ts'
import type { DisputeAccess } from '../access.ts'
import { readAttachment } from './attachments.ts'
import { buildEvidence } from './evidence.ts'
import type { Picture } from './evidence.ts'
import type { DisputeAccount } from '../sync/write-disputes.ts'
import { localEntry } from '../../local-entry.ts'

type Inputs = InferContractRouterInputs<Contract['disputes']>
type Outputs = InferContractRouterOutputs<Contract['disputes']>

/** Shows attachments and exports a dispute's dossier. */
export function createEvidenceProcedures({ context, accountOf, viewed, detail }: DisputeAccess) {
  async function dossier(
    { accountId, disputeId }: Inputs['evidence'],
    secrets: boolean,
  ): Promise<Outputs['evidence']> {
    context.vault.assertUnlocked()
    const account = accountOf(accountId)
    const found = await detail(accountId, disputeId)
    const pictures = await picturesOf(account, found)
    context.activity.add(
      localEntry({
        accountId,
        what: localized('disputes.evidence-exported'),
        detail: localized(secrets ? 'disputes.dispute-with-secrets' : 'disputes.dispute', {
          disputeId,
        }),
      }),
    )
    const archive = buildEvidence(found, pictures, {
      account: context.accounts.get(accountId).name,
      secrets,
      at: context.clock.now(),
    })
    return {
      fileName: `dispute-${disputeId.replace(/[^\w-]/g, '')}.zip`,
      base64: archive.toString('base64'),
    }
  }

  return {
    attachment: ({
      accountId,
      disputeId,
      position,
      index,
    }: Inputs['attachment']): Promise<Outputs['attachment']> =>
      readAttachment(viewed(accountId), disputeId, position, index),
    evidence: (input: Inputs['evidence']): Promise<Outputs['evidence']> => dossier(input, false),
    async evidenceUnmasked(
      input: Inputs['evidenceUnmasked'],
    ): Promise<Outputs['evidenceUnmasked']> {
      confirmPlainExport(input.typed)
      return dossier(input, true)
    },
  }
}

/**
 * Attachments that can't be read or aren't images are left out; the dossier says so where they are
 * missing.
 */
async function picturesOf(
  account: DisputeAccount,
  { disputeId, conversation }: DisputeDetail,
): Promise<Picture[]> {
  const wanted = conversation.flatMap(({ position, attachments }) =>
    attachments.map(({ index }) => ({ position, index })),
  )
  const pictures = await Promise.all(
    wanted.map(({ position, index }) =>
      readAttachment(account, disputeId, position, index).then(
        ({ contentType, base64 }): Picture[] => [
          { position, index, contentType, bytes: Buffer.from(base64, 'base64') },
        ],
        (error: unknown) => {
          if (error instanceof Failure) return []
          throw error
        },
      ),
    ),
  )
  return pictures.flat()
}
