import { t } from '../../../../contract/localization/localized.ts'
import type { InferContractRouterOutputs } from '@orpc/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { IconFileImport } from '@tabler/icons-react'
import { useLocation } from 'wouter'
import type { Contract } from '../../../../contract/index.ts'
import { isVaultCode } from '../../../../contract/problem-codes.ts'
import { variantLabel } from '../../../lib/labels/product-labels.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api, rpc } from '../../../lib/core/rpc.ts'
import { openVault } from '../../../lib/vault-gate.ts'
import { formatCount, formatMoment } from '../../../ui/format.ts'
import { Button, LinkButton } from '../../../ui/controls/buttons/button.tsx'
import { Body, Page, PageHeader } from '../../../ui/layout/page.tsx'
import { StatusTag } from '../../../ui/data-display/status-tag.tsx'
import type { Tone } from '../../../ui/data-display/status-tag.tsx'
import { Stepper } from '../../../ui/layout/stepper.tsx'
import { toastProblem } from '../../../ui/feedback/toasts.tsx'
import { DropZone } from './drop-zone.tsx'
import styles from './start.module.css'
import { sampleFile } from './sample-file.ts'
import { sendFiles } from './send-files.ts'
import { steps } from '../labels.ts'

const stateWords: Record<string, { word: string; tone: Tone }> = {
  draft: { word: 'Checking', tone: 'neutral' },
  uploading: { word: 'Uploading', tone: 'info' },
  paused: { word: 'Paused', tone: 'neutral' },
  waiting: { word: 'Waiting for the connection', tone: 'warn' },
  stopped: { word: 'Needs attention', tone: 'bad' },
  done: { word: 'Uploaded', tone: 'ok' },
  cancelled: { word: 'Canceled', tone: 'neutral' },
}

type Listed = InferContractRouterOutputs<Contract['imports']>['list'][number]

/** The first step: a drop zone, and recent imports below it. */
export function StartStep({ offerId }: { offerId: string | null }) {
  const account = useAccount()
  const [, go] = useLocation()
  const before = useQuery(api.imports.list.queryOptions({ input: { accountId: account.id } }))
  const offer = useQuery({
    ...api.offers.offer.queryOptions({ input: { accountId: account.id, offerId: offerId ?? '' } }),
    enabled: offerId !== null,
  })
  const start = useMutation({
    mutationFn: async (files: File[]) => {
      if (!(await openVault())) return
      const { importId } = await rpc.imports.create({ accountId: account.id })
      go(`/import/${importId}`)
      await sendFiles(importId, files, offerId, toastProblem)
    },
    onError: (error) => toastProblem(problemOf(error), null),
  })
  const importSample = async (): Promise<void> => {
    try {
      start.mutate([await sampleFile(account.id)])
    } catch (error) {
      toastProblem(problemOf(error), null)
    }
  }
  const all = before.data ?? []
  const unfinished = all.filter(({ state }) => unfinishedStates.has(state))
  const recent = all.filter(({ state }) => !unfinishedStates.has(state))
  return (
    <Page>
      <PageHeader title="Import keys" beside={<Stepper steps={steps} current={0} />} />
      <Body padded>
        {offer.data === undefined ? null : (
          <p className={styles.goal}>
            All lines go to <b>{offer.data.name}</b>{' '}
            <span>
              {variantLabel(offer.data)} · {formatCount(offer.data.stock)} in stock
            </span>
          </p>
        )}
        <ImportList title="Unfinished imports" imports={unfinished} />
        <DropZone big busy={start.isPending} onFiles={(files) => start.mutate(files)} />
        {account.mode !== 'sandbox' || offerId !== null ? null : (
          <p className={styles.sample}>
            No keys at hand?{' '}
            <LinkButton disabled={start.isPending} onClick={() => void importSample()}>
              Use a sample file
            </LinkButton>
          </p>
        )}
        <ImportList title="Recent imports" imports={recent} />
      </Body>
    </Page>
  )
}

/** Uploads that were started and not finished. */
const unfinishedStates: ReadonlySet<string> = new Set(['uploading', 'waiting', 'paused', 'stopped'])

const unlock = (): void =>
  void openVault().catch((error: unknown) => toastProblem(problemOf(error), null))

function ImportList({ title, imports }: { title: string; imports: readonly Listed[] }) {
  const [, go] = useLocation()
  if (imports.length === 0) return null
  return (
    <section className={styles.before} aria-label={title}>
      <h2>{title}</h2>
      <ul>
        {imports.map((each) => {
          const found = stateWords[each.state] ?? { word: each.state, tone: 'neutral' as const }
          const needsVault =
            each.state === 'waiting' && each.problem !== null && isVaultCode(each.problem.code)
          const { keys, keysSettled } = each.upload
          return (
            <li key={each.importId}>
              <button type="button" onClick={() => go(`/import/${each.importId}`)}>
                <IconFileImport size={16} stroke={1.6} aria-hidden />
                <b>{each.title}</b>
                <StatusTag tone={found.tone}>
                  {needsVault ? 'Waiting for the vault' : found.word}
                </StatusTag>
                <span>
                  {unfinishedStates.has(each.state)
                    ? `${formatCount(keysSettled)} of ${t('counts.keys', { count: keys })}`
                    : t('counts.lines', { count: each.sums.read })}
                </span>
                <time>{formatMoment(each.createdAt, Date.now())}</time>
              </button>
              {needsVault ? (
                <Button
                  size="xs"
                  aria-label={`Unlock the vault for ${each.title}`}
                  onClick={unlock}
                >
                  Unlock the vault…
                </Button>
              ) : null}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
