import type { ClaimedKey, DisputeDetail } from '../../../contract/dispute-records.ts'
import { AccountLink } from '../../lib/account-link.tsx'
import { copySecret } from '../../lib/clipboard.ts'
import { problemOf } from '../../lib/problem.ts'
import { rpc } from '../../lib/rpc.ts'
import { openVault } from '../../lib/vault-gate.ts'
import { formatCount, formatDuration, formatEur, formatMoment } from '../../ui/format.ts'
import { type TimelineEvent, Timeline } from '../../ui/timeline.tsx'
import { MaskedKey } from '../../ui/masked-key.tsx'
import { PanelSection } from '../../ui/page.tsx'
import { toastProblem } from '../../ui/toasts.tsx'
import styles from './disputes.module.css'
import { outcomeWord } from './words.ts'

const known: Readonly<Record<ClaimedKey['from'], string>> = {
  vault: 'The vault keeps this key: it was withdrawn on this desk once.',
  upload:
    'The key itself is not kept after the upload: only its fingerprint is, and how it begins and ends.',
  replacement:
    'It was typed here as a replacement. The key itself is not kept: only its fingerprint is, and how it begins and ends.',
  message: 'It stands in the messages: its fingerprint is the one of the key that was sold.',
}
const unknown = ({ locked, origin }: DisputeDetail): string =>
  locked
    ? 'The vault is locked: what is known of the key is not shown.'
    : origin === null
      ? 'What key it is and where it came from is unknown: the service does not tell which key was sold, or it was not uploaded from this desk.'
      : 'How the key looks is unknown: it was uploaded before Keydesk kept that. Only its fingerprint is here.'

/** The key that was sold, masked, and its way from the file to the claim. */
export function KeySection({ detail, now }: { detail: DisputeDetail; now: number }) {
  const { accountId, key, keyId, saleId } = detail
  const reveal = async (held: NonNullable<ClaimedKey['held']>): Promise<string> => {
    if (!(await openVault())) throw new Error('the vault stays locked')
    return (
      await rpc.offers.withdrawals.reveal({ accountId, ...held }).catch((error: unknown) => {
        toastProblem(problemOf(error))
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
            className={styles.link}
            path={`/key-history?sale=${encodeURIComponent(saleId)}`}
          >
            Whole story
          </AccountLink>
        )
      }
    >
      <div className={styles.key}>
        {key === null ? (
          <span className={styles.quiet}>
            {detail.locked ? 'Key not shown' : 'Key not known here'}
          </span>
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
      <p className={styles.note}>
        {keyId === null ? null : (
          <>
            <span className="kd-mono">{keyId}</span> ·{' '}
          </>
        )}
        {key === null ? unknown(detail) : known[key.from]}
      </p>
      <Timeline label="What happened to the key" events={eventsOf(detail, now)} />
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
            detail: `Uploaded to ${origin.offerName}${origin.costCents === null ? '' : `, ${formatEur(origin.costCents)} a key`}`,
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
      title: 'Claimed',
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
