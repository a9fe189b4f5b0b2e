import { IconCheck, IconKey, IconTrash } from '@tabler/icons-react'
import { t } from '../../../../contract/localization/localized.ts'
import type { Import } from '../../../../contract/keys/import-records.ts'
import type { Effect } from '../../../ui/feedback/confirm-dialog.tsx'

type Uploaded = Pick<Import['upload'], 'keys' | 'keysSettled' | 'keysInDoubt'>

/** The effects of canceling an import on its keys. */
export function cancelEffects(state: Import['state'], upload: Uploaded): Effect[] {
  const { keys, keysSettled, keysInDoubt } = upload
  // The result of a request in flight is usually known before the import ends.
  const inDoubt = state === 'uploading' ? 0 : keysInDoubt
  const unsent = keys - keysSettled - inDoubt
  const effects: Effect[] = [
    {
      icon: <IconCheck size={16} stroke={1.6} />,
      what: t('screens.imports-keys-stay', { count: keysSettled }),
      more: 'on their offers.',
    },
  ]
  if (unsent > 0)
    effects.push({
      icon: <IconKey size={16} stroke={1.6} />,
      what: `${t('counts.keys', { count: unsent })} won’t be sent`,
      ...(inDoubt === 0 ? { more: 'unless a request is in flight.' } : {}),
      tone: 'warn',
    })
  if (inDoubt > 0)
    effects.push({
      icon: <IconKey size={16} stroke={1.6} />,
      what: t('imports.keys-in-doubt', { count: inDoubt }),
      more: 'because the response to their request was lost.',
      tone: 'warn',
    })
  effects.push({
    icon: <IconTrash size={16} stroke={1.6} />,
    what: 'Waiting keys are deleted from this computer',
    more: 'Your original files aren’t changed.',
  })
  return effects
}
