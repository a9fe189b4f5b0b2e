import type { DisputedKey, DisputeDetail } from '../../../../contract/disputes/dispute-records.ts'
import { AccountLink } from '../../../lib/account/account-link.tsx'
import { copySecret } from '../../../lib/clipboard.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { rpc } from '../../../lib/core/rpc.ts'
import { openVault } from '../../../lib/vault-gate.ts'
import { formatCount, formatDuration, formatEur, formatMoment } from '../../../ui/format.ts'
import { type TimelineEvent, Timeline } from '../../../ui/data-display/timeline.tsx'
import { MaskedKey } from '../../../ui/data-display/identity/masked-key.tsx'
import { PanelSection } from '../../../ui/layout/page.tsx'
import { toastProblem } from '../../../ui/feedback/toasts.tsx'
import shared from '../disputes.module.css'
import styles from './side-panel.module.css'
import { outcomeWord } from '../words.ts'

const known: Readonly<Record<DisputedKey['from'], string>> = {
  vault: 'This key is in the vault: it was withdrawn on this computer.',
  upload:
    'Keydesk doesn’t store a key after the upload, only its fingerprint and how it starts and ends.',
  replacement:
    'It was typed here as a replacement. Keydesk stores only its fingerprint and how it starts and ends.',
  message: 'The key is in the messages: its fingerprint matches the sold key.',
}
const unknown = ({ locked, origin }: DisputeDetail): string =>
  locked
    ? 'The vault is locked, so the key isn’t shown.'
    : origin === null
      ? 'It isn’t known which key was sold. The service doesn’t report it, or the key ' +
        'wasn’t uploaded from this computer.'
      : 'Only the fingerprint is known: the key was uploaded before Keydesk stored how keys start and end.'

/** The sold key, masked, and its history from the file to the dispute. */
export function KeySection({ detail, now }: { detail: DisputeDetail; now: number }) {
  const { accountId, disputeId, key, keyId, saleId } = detail
  const reveal = async (held: NonNullable<DisputedKey['held']>): Promise<string> => {
    if (!(await openVault())) throw new Error('the vault is still locked')
    return (
      await rpc.offers.withdrawals.reveal({ accountId, ...held }).catch((error: unknown) => {
        toastProblem(problemOf(error), detail.name)
        throw error
      })
    ).value
  }
  const held = key?.held ?? null
  return (
    <PanelSection
      title="Key history"
      aside={
        saleId === null ? undefined : (
          <AccountLink
            accountId={accountId}
            className={shared.link}
            path={`/key-history?${new URLSearchParams({ sale: saleId, dispute: disputeId })}`}
          >
            Full history
          </AccountLink>
        )
      }
    >
      <div className={styles.key}>
        {key === null ? (
          <span className={shared.quiet}>{detail.locked ? 'Key not shown' : 'Key not known'}</span>
        ) : held === null ? (
          <span className={styles.masked}>{key.masked}</span>
        ) : (
          <MaskedKey
            masked={key.masked}
            label="the key"
            onReveal={() => reveal(held)}
            onCopy={async () => copySecret('Key copied', await reveal(held))}
          />
        )}
      </div>
      <p className={shared.note}>
        {keyId === null ? null : (
          <>
            <span className="kd-mono">{keyId}</span> ·{' '}
          </>
        )}
        {key === null ? unknown(detail) : known[key.from]}
      </p>
      <Timeline label="Key timeline" events={eventsOf(detail, now)} />
    </PanelSection>
  )
}

function eventsOf(
  { origin, sale, orderId, openedAt, resolution }: DisputeDetail,
  now: number,
): TimelineEvent[] {
  const at = (moment: number | null): string => (moment === null ? '' : formatMoment(moment, now))
  return [
    ...(origin === null
      ? []
      : [
          {
            id: 'file',
            kind: 'fact' as const,
            title: origin.fileName,
            at: `line ${formatCount(origin.line)}`,
            detail: origin.supplier === '' ? 'Read and cleaned' : `From ${origin.supplier}`,
          },
          {
            id: 'import',
            kind: 'fact' as const,
            title: origin.batchName,
            at: at(origin.uploadedAt),
            detail:
              'Uploaded to ' +
              `${origin.offerName}${origin.costCents === null ? '' : `, ${formatEur(origin.costCents)} per key`}`,
          },
        ]),
    ...(sale === null && orderId === null
      ? []
      : [
          {
            id: 'sold',
            kind: 'fact' as const,
            title: 'Sold and delivered',
            at: at(sale?.soldAt ?? null),
            detail:
              orderId === null ? undefined : (
                <>
                  Order <span className="kd-mono">{orderId}</span>
                </>
              ),
          },
        ]),
    {
      id: 'claimed',
      kind: 'claim',
      title: 'Disputed',
      at: at(openedAt),
      detail:
        sale?.soldAt == null || openedAt === null
          ? undefined
          : `${formatDuration(openedAt - sale.soldAt)} after delivery`,
    },
    ...(resolution === null
      ? []
      : [
          {
            id: 'resolved',
            kind: 'done' as const,
            title: outcomeWord(resolution.type),
            at: at(resolution.at),
          },
        ]),
  ]
}
