import { useMutation, useQuery } from '@tanstack/react-query'
import { IconEye, IconEyeOff, IconFileExport, IconFingerprint } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import type { KeyHistoryResult } from '../../../contract/keys/key-history.ts'
import { variantLabel } from '../../lib/labels/product-labels.ts'
import { useAccountNow } from '../../lib/account/account-time.tsx'
import { useAccount } from '../../lib/account/current-account.ts'
import { problemOf } from '../../lib/core/problem.ts'
import { api } from '../../lib/core/rpc.ts'
import { openVault } from '../../lib/vault-gate.ts'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { FigureStrip } from '../../ui/data-display/facts.tsx'
import { formatCents, formatDuration, formatMoment } from '../../ui/format.ts'
import { toastProblem } from '../../ui/feedback/toasts.tsx'
import { useReveal } from '../../ui/data-display/identity/masked-key.tsx'
import { Body, Footer, Page, PageHeader, SidePanel } from '../../ui/layout/page.tsx'
import { isTyping, useShortcut } from '../../ui/hooks/shortcuts.ts'
import { EvidenceDialog } from '../disputes/evidence-dialog.tsx'
import { KeyContext } from './key-context.tsx'
import styles from './key-history.module.css'
import { KeyEventList } from './key-event-list.tsx'
import { stateOf } from './words.ts'

/**
 * Finds a pasted key and shows its history: file, line, import, batch, offer, and sale and dispute
 * if the service reports them.
 */
export function KeyHistoryPage() {
  const account = useAccount()
  const [search, setSearch] = useSearchParams()
  const saleId = search.get('sale')
  const disputeId = search.get('dispute')
  /** The pasted key exists only in this page's memory: not in a cache, an address or storage. */
  const [key, setKey] = useState<string | null>(null)
  const bySale = useQuery({
    ...api.keyHistory.ofSale.queryOptions({
      input: {
        accountId: account.id,
        saleId: saleId ?? '',
        ...(disputeId !== null && { disputeId }),
      },
    }),
    enabled: saleId !== null && key === null,
  })
  const look = useMutation(api.keyHistory.find.mutationOptions({ gcTime: 0 }))
  const find = (text: string): void => {
    const typed = text.trim()
    if (typed === '') return
    setKey(typed)
    // The history of the key before isn't this one's, also if the vault stays locked.
    look.reset()
    if (saleId !== null) setSearch({})
    void openVault().then(
      (opened) => {
        if (opened) look.mutate({ accountId: account.id, key: typed })
        else setKey(null)
      },
      (error: unknown) => void toastProblem(problemOf(error), null),
    )
  }
  const again = (): void => {
    setKey(null)
    look.reset()
    if (saleId !== null) setSearch({})
  }
  const retry = (): void => {
    if (key === null) void bySale.refetch()
    else find(key)
  }
  const story = key === null ? (bySale.data ?? null) : (look.data ?? null)
  const failed = key === null ? bySale.error : look.error
  return (
    <Page
      panel={
        story === null || story.state === 'unknown' ? undefined : (
          <SidePanel title="Batch and file" width={356} readOnly={story.origin === null}>
            <KeyContext story={story} />
          </SidePanel>
        )
      }
    >
      <PageHeader
        title="Key history"
        beside={
          <span className={styles.said}>
            What you paste stays on this computer. Keydesk compares its fingerprint and never stores
            it.
          </span>
        }
      />
      {key === null && story === null ? (
        <PasteField onFind={find} />
      ) : (
        <Pasted masked={story?.masked ?? ''} value={key} onAgain={again} onFind={find} />
      )}
      {failed === null ? null : <ErrorState problem={problemOf(failed)} onRetry={retry} />}
      {story === null ? (
        failed === null &&
        key === null && (
          <Body>
            <EmptyState
              title={
                saleId !== null && bySale.isSuccess
                  ? 'The service doesn’t report this sale’s key'
                  : 'Paste a key'
              }
              text="See its file, line, import, batch, offer, sale and dispute. Nothing leaves this computer."
            />
          </Body>
        )
      ) : (
        <Told story={story} />
      )}
    </Page>
  )
}

function PasteField({ onFind }: { onFind: (key: string) => void }) {
  const [typed, setTyped] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    field.current?.focus()
  }, [])
  return (
    <form
      className={styles.field}
      onSubmit={(event) => {
        event.preventDefault()
        onFind(typed)
      }}
    >
      <IconFingerprint size={18} stroke={1.6} aria-hidden />
      <input
        ref={field}
        type="password"
        aria-label="A key"
        placeholder="Paste or type a key"
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onPaste={(event) => {
          event.preventDefault()
          onFind(event.clipboardData.getData('text/plain'))
        }}
      />
      <Button type="submit" kind="primary" keys={['Enter']}>
        Show history
      </Button>
    </form>
  )
}

/** A key while it is hidden; `value` is null for the key of a sale. */
const maskedText = (masked: string, value: string | null): string => {
  if (masked !== '') return masked
  return value === null ? 'Key of a sale (not stored on this computer)' : '••••••••'
}

/** The pasted key, masked. Ctrl+V replaces it. */
function Pasted({
  masked,
  value,
  onAgain,
  onFind,
}: {
  masked: string
  value: string | null
  onAgain: () => void
  onFind: (key: string) => void
}) {
  const shown = useReveal(() => Promise.resolve(value ?? ''))
  const latest = useRef(onFind)
  latest.current = onFind
  useEffect(() => {
    const paste = (event: ClipboardEvent): void => {
      if (!isTyping(event)) latest.current(event.clipboardData?.getData('text/plain') ?? '')
    }
    window.addEventListener('paste', paste)
    return () => window.removeEventListener('paste', paste)
  }, [])
  return (
    <div className={styles.field} data-revealed={shown.value === null ? undefined : true}>
      <IconFingerprint size={18} stroke={1.6} aria-hidden />
      <code className="kd-mono">{shown.value ?? maskedText(masked, value)}</code>
      {value === null ? null : (
        <Button
          kind="quiet"
          icon={
            shown.value === null ? (
              <IconEye size={16} stroke={1.6} />
            ) : (
              <IconEyeOff size={16} stroke={1.6} />
            )
          }
          onClick={() => (shown.value === null ? shown.reveal() : shown.hide())}
        >
          {shown.value === null ? 'Reveal' : 'Hide'}
        </Button>
      )}
      <Button keys={['Ctrl', 'V']} onClick={onAgain}>
        Check another key
      </Button>
    </div>
  )
}

function Told({ story }: { story: KeyHistoryResult }) {
  const account = useAccount()
  const [, go] = useLocation()
  const [packs, setPacks] = useState(false)
  const { dispute, origin, sale } = story
  const open = (): void => {
    if (dispute !== null) go(`/disputes/${dispute.disputeId}`)
  }
  useShortcut('Enter', open, { enabled: dispute !== null })
  if (story.state === 'unknown') {
    return (
      <Body>
        <EmptyState
          title="Key not found in any upload from Keydesk"
          text={
            'It may have been uploaded elsewhere, or before you used Keydesk. ' +
            'Spaces around it don’t matter, but every other character does.'
          }
        />
      </Body>
    )
  }
  return (
    <>
      <StateFigures story={story} />
      <Body>
        <KeyEventList events={story.events} />
      </Body>
      <Footer
        actions={
          dispute === null ? null : (
            <Button
              size="md"
              icon={<IconFileExport size={16} stroke={1.6} />}
              onClick={() => setPacks(true)}
            >
              Evidence pack…
            </Button>
          )
        }
      >
        {dispute === null ? null : (
          <Button kind="primary" size="md" keys={['Enter']} onClick={open}>
            View dispute
          </Button>
        )}
        {sale === null ? null : (
          <Button size="md" onClick={() => go(`/sales/${encodeURIComponent(sale.saleId)}`)}>
            View sale
          </Button>
        )}
        {origin === null ? null : (
          <span className={styles.roomy}>
            <Button size="md" onClick={() => go(`/import/${origin.importId}`)}>
              View import {origin.importNumber}
            </Button>
          </span>
        )}
      </Footer>
      {dispute === null ? null : (
        <EvidenceDialog
          account={account}
          disputeId={dispute.disputeId}
          opened={packs}
          onClose={() => setPacks(false)}
        />
      )}
    </>
  )
}

/** The key's state, its offer, its earnings, and the time left to answer a dispute. */
function StateFigures({ story }: { story: KeyHistoryResult }) {
  const now = useAccountNow(60_000)
  const { dispute, origin, sale } = story
  const state = stateOf(story)
  const left =
    dispute === null ||
    dispute.status !== 'open' ||
    dispute.answered ||
    dispute.escalatesAt === null
      ? null
      : dispute.escalatesAt - now
  return (
    <FigureStrip
      label="Current state"
      figures={[
        {
          label: 'State',
          value: (
            <span className={styles.tone} data-tone={state.tone}>
              {state.word}
            </span>
          ),
        },
        ...(origin === null
          ? []
          : [
              {
                label: 'Offer',
                value: origin.offerName,
                detail: variantLabel(story),
              },
            ]),
        ...(sale?.priceCents == null
          ? []
          : [
              {
                label: 'You receive',
                value: formatCents(sale.priceCents),
                detail: sale.held ? 'EUR, held' : `EUR, ${sale.status}`,
              },
            ]),
        ...(left === null || dispute?.escalatesAt == null
          ? []
          : [
              {
                label: 'Answer within',
                value: formatDuration(Math.max(0, left)),
                detail: formatMoment(dispute.escalatesAt, now),
              },
            ]),
      ]}
    />
  )
}
