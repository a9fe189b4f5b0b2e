import { t } from '../../../../contract/localization/localized.ts'
import { useMutation } from '@tanstack/react-query'
import { copySecret } from '../../../lib/clipboard.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { rpc } from '../../../lib/core/rpc.ts'
import { saveFile } from '../../../lib/save-file.ts'
import { openVault } from '../../../lib/vault-gate.ts'
import { toast, toastProblem } from '../../../ui/feedback/toasts.tsx'
import type { Toast } from '../../../ui/feedback/toasts.tsx'

const keyCount = (count: number): string => t('counts.keys', { count })

/**
 * All keys of an order: copied, copied as a message for the customer, or exported. Each is a
 * deliberate act that is recorded.
 */
export function useKeyTexts({
  orderId,
  externalId,
  deliveredUnits,
}: {
  orderId: string
  externalId: string
  deliveredUnits: number
}) {
  const { id: accountId } = useAccount()
  const act = useMutation({
    mutationFn: async (work: () => Promise<void>) => {
      if (await openVault()) await work()
    },
    onError: (error) => toastProblem(problemOf(error), externalId),
  })
  const copy = (
    form: 'lines' | 'message',
    keyIds: string[] | null,
    next: Toast['action'] | null,
  ): void =>
    act.mutate(async () => {
      const { text, keys, pictures } = await rpc.orders.keysText({
        accountId,
        orderId,
        keyIds,
        form,
      })
      if (text === '')
        return void toast({
          kind: 'bad',
          title: 'Nothing copied',
          text: 'Pictures can’t be copied as text. Export them, or reveal and save each one.',
        })
      await copySecret(
        form === 'message'
          ? `Message with ${keyCount(keys)} copied`
          : `${keyCount(keys - pictures)} copied`,
        text,
        next ?? undefined,
      )
    })
  return {
    /** `next` is offered in the toast. */
    copyAll: (next?: Toast['action']) => copy('lines', null, next ?? null),
    copyMessage: (next?: Toast['action']) => copy('message', null, next ?? null),
    messageOf: (keyIds: string[], next: Toast['action'] | null) => copy('message', keyIds, next),
    exportAll: async (typed: string): Promise<void> => {
      const { fileName, base64 } = await rpc.orders.exportKeys({
        accountId,
        orderId,
        form: deliveredUnits > 1 ? 'table' : 'lines',
        typed,
      })
      saveFile(fileName, base64)
      toast({
        title: 'Keys exported',
        text: 'Anyone can read the keys in this file. Recorded in Activity.',
      })
    },
  }
}
