import { t } from '../../../../contract/localization/localized.ts'
import { useMutation } from '@tanstack/react-query'
import { IconArrowForward, IconCheck, IconFileExport } from '@tabler/icons-react'
import { useState } from 'react'
import { z } from 'zod'
import type { DoubtChoice, Import } from '../../../../contract/keys/import-records.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api } from '../../../lib/core/rpc.ts'
import { openVault } from '../../../lib/vault-gate.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { ConfirmDialog } from '../../../ui/feedback/confirm-dialog.tsx'
import { Fact, Facts } from '../../../ui/data-display/facts.tsx'
import { formatCount } from '../../../ui/format.ts'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { toastProblem } from '../../../ui/feedback/toasts.tsx'
import { ProblemNotice } from '../../../ui/feedback/problem-notice.tsx'
import shared from '../key-import.module.css'
import styles from './upload.module.css'

/** The facts about a request in doubt, from the problem's details. */
const doubtSchema = z.object({
  keys: z.number(),
  before: z.number().nullable(),
  now: z.number().nullable(),
  sold: z.number().nullable(),
  offer: z.string(),
  request: z.number(),
})

const known = (count: number | null): string => (count === null ? 'unknown' : formatCount(count))

/** The confirmation of each choice about a request with this many keys. */
const choiceWords = (keys: number) =>
  ({
    'send-again': {
      title: 'Send these keys again?',
      label: `Send ${t('counts.keys', { count: keys })} again`,
      icon: <IconArrowForward size={16} stroke={1.6} />,
      what: 'The service skips keys it already has',
      more: 'so no key is on the offer twice. Keys that were sold since then are skipped too.',
    },
    arrived: {
      title: 'Mark these keys as added?',
      label: `Mark ${t('counts.keys', { count: keys })} as added`,
      icon: <IconCheck size={16} stroke={1.6} />,
      what: 'Nothing is sent',
      more: 'and the report counts them as added. If they didn’t arrive, they’re on no offer.',
    },
    'leave-out': {
      title: 'Exclude these keys?',
      label: `Exclude ${t('counts.keys', { count: keys })}`,
      icon: <IconFileExport size={16} stroke={1.6} />,
      what: 'They’re saved on this computer',
      more: 'encrypted, and you can export them from the report. Some may already be on the offer.',
    },
  }) as const

/**
 * Shown when it is unknown whether a request arrived: the facts, and three choices with their
 * effects.
 */
export function InDoubt({ work }: { work: Import }) {
  const account = useAccount()
  const [choice, setChoice] = useState<DoubtChoice | null>(null)
  const decide = useMutation(api.imports.decide.mutationOptions())
  const { importId, problem } = work
  const doubt = doubtSchema.safeParse(problem?.details)
  if (problem === null || !doubt.success) return null
  const { before, keys, now, offer, request, sold } = doubt.data
  const ask = async (next: DoubtChoice): Promise<void> => {
    decide.reset()
    try {
      if (await openVault()) setChoice(next)
    } catch (error) {
      toastProblem(problemOf(error), null)
    }
  }
  const words = choiceWords(keys)
  return (
    <div className={shared.padded}>
      <Notice
        tone="warn"
        title={problem.what}
        action={
          <Button kind="primary" onClick={() => void ask('send-again')}>
            Send again…
          </Button>
        }
      >
        <Facts>
          <Fact label="Request">
            {formatCount(request)}, {t('counts.keys', { count: keys })} for {offer}
          </Fact>
          <Fact label="Stock before and now">
            {known(before)}, {known(now)}
          </Fact>
          <Fact label="Sold since then">{sold === null ? 'not reported' : formatCount(sold)}</Fact>
          <Fact label="Expected stock if it arrived">
            {known(before === null ? null : before + keys - (sold ?? 0))}
          </Fact>
        </Facts>
        <div className={styles.ways}>
          <Button onClick={() => void ask('arrived')}>Mark as added…</Button>
          <Button onClick={() => void ask('leave-out')}>Exclude…</Button>
        </div>
      </Notice>
      {choice === null ? null : (
        <ConfirmDialog
          opened
          onClose={() => setChoice(null)}
          account={account}
          title={words[choice].title}
          confirmLabel={words[choice].label}
          effects={[
            { icon: words[choice].icon, what: words[choice].what, more: words[choice].more },
          ]}
          onConfirm={async () => {
            await decide.mutateAsync({ importId, choice })
          }}
          failure={decide.isError ? <ProblemNotice problem={problemOf(decide.error)} /> : null}
        />
      )}
    </div>
  )
}
