import { IconKey, IconMessage, IconReceipt, IconWallet } from '@tabler/icons-react'
import { Button } from '../controls/buttons/button.tsx'
import { Effects } from '../feedback/confirm-dialog.tsx'
import dialog from '../layout/dialog.module.css'
import { ErrorState } from '../feedback/error-state.tsx'
import { ModeBadge } from '../data-display/identity/mode-badge.tsx'
import { Notice } from '../feedback/notice.tsx'
import { type Toast, ToastCard } from '../feedback/toasts.tsx'
import { recordChange } from '../feedback/undo-history.ts'
import { Place } from './gallery-controls.tsx'
import styles from './gallery.module.css'

const toasts: (Toast & { y: number })[] = [
  {
    y: 56,
    title: '441,749 keys uploaded',
    text: '441,731 added, 18 were duplicates.',
    action: { label: 'Report', run: () => {} },
  },
  {
    y: 132,
    title: 'Lost the lead on Cinderkeep',
    text: 'Best is 4.59, yours is 4.79.',
    kind: 'behind',
    action: { label: 'Open', run: () => {} },
  },
  {
    y: 208,
    title: 'Queued',
    text: 'Offline. You approve it before it is sent.',
    kind: 'waits',
  },
  { y: 282, title: 'Key copied', text: 'The clipboard is cleared in 30 s.', kind: 'copy' },
  {
    y: 356,
    title: 'Price not changed',
    text: 'Someone changed it to 12.60 at 15:29. Nothing was sent over.',
    kind: 'bad',
    codes: '409 · req_2Mz8Td',
    action: { label: 'Compare', run: () => {} },
  },
  {
    y: 605,
    title: 'Still being delivered',
    text: 'Paid once, EUR 121.35. Don’t order again; delivery finishes automatically.',
    kind: 'busy',
  },
]
const icon = { size: 16, stroke: 1.6 }

const pausedChange = recordChange({ title: 'Cinderkeep paused', undo: async () => {} })

/** Confirmations by severity, notices, errors. */
export function Messages() {
  return (
    <main className={styles.board} data-chrome>
      <Place
        x={40}
        y={30}
        w={456}
        title="1. Undo instead of asking"
        detail="pause, activate, change a price"
      >
        <div className={styles.float}>
          <ToastCard
            toast={{
              title: 'Cinderkeep paused',
              text: 'No keys moved. 8 stay in stock.',
              count: 1,
              changeId: pausedChange.id,
            }}
            onClose={() => {}}
          />
        </div>
      </Place>
      <Place
        x={40}
        y={146}
        w={456}
        title="2. List the effects, then do it"
        detail="a replacement, a claim, an order"
      >
        <div className={styles.sheet}>
          <div className={dialog.dialog}>
            <div className={dialog.account}>
              <ModeBadge mode="live" />
              <span>Kestrel Keys</span>
            </div>
            <h2 className={dialog.title}>Send a replacement for Ironwharf 3?</h2>
            <p className={dialog.lead}>The customer gets the oldest key in your stock.</p>
            <Effects
              effects={[
                {
                  icon: <IconKey {...icon} />,
                  what: '1 key leaves your stock',
                  amount: '1,204 to 1,203',
                },
                {
                  icon: <IconWallet {...icon} />,
                  what: 'No money moves',
                  amount: 'EUR 31.40 stays pending',
                },
                {
                  icon: <IconMessage {...icon} />,
                  what: 'The dispute is resolved, and your reply is sent',
                },
              ]}
            />
            <div className={dialog.foot}>
              <Button size="md" keys={['Esc']}>
                Cancel
              </Button>
              <Button size="md" kind="primary" keys={['Ctrl', 'Enter']}>
                Send replacement
              </Button>
            </div>
          </div>
        </div>
      </Place>
      <Place x={40} y={481} w={456} title="Inline error" detail="what, why, what next">
        <Notice tone="bad" title="Line 5 lost its last digits.">
          A spreadsheet turned the key into 1.23E+15. Format the column as text and export it again.
        </Notice>
      </Place>
      <Place x={528} y={30} w={456} title="3. Type the name" detail="irreversible, in LIVE">
        <div className={styles.sheet}>
          <div className={dialog.dialog}>
            <div className={dialog.account}>
              <ModeBadge mode="live" />
              <span>Kestrel Keys</span>
            </div>
            <h2 className={dialog.title}>Refund this customer?</h2>
            <p className={dialog.lead}>
              Ironwharf 3, sold 18 Nov, <span className="kd-mono">sal_9Lm2Qe</span>. This can’t be
              undone.
            </p>
            <Effects
              effects={[
                {
                  icon: <IconWallet {...icon} />,
                  what: 'The customer’s side gets its money back',
                  amount: 'EUR 34.54',
                  tone: 'bad',
                },
                {
                  icon: <IconReceipt {...icon} />,
                  what: 'The sale is canceled, you lose',
                  amount: 'EUR 31.40',
                  tone: 'bad',
                },
                { icon: <IconKey {...icon} />, what: 'The key stays with the customer' },
                { icon: <IconMessage {...icon} />, what: 'The dispute is resolved' },
              ]}
            />
            <div className={dialog.foot}>
              <Button size="md" keys={['Esc']}>
                Cancel
              </Button>
              <Button size="md" kind="final" disabled>
                Refund EUR 34.54
              </Button>
            </div>
          </div>
        </div>
      </Place>
      <Place
        x={528}
        y={471}
        w={456}
        title="When the page can’t load"
        detail="code, request id, next step"
      >
        <div className={styles.box}>
          <ErrorState
            problem={{
              code: 'SERVICE_UNAVAILABLE',
              what: 'The service can’t sell right now',
              effect: 'Nothing was charged.',
              next: 'You’re seeing orders from 15:03:48. Next try in 12 s.',
              status: 503,
              requestId: 'req_7Hc2Lw',
              retryAfterMs: 12_000,
            }}
            onRetry={() => {}}
            actions={<Button kind="quiet">Show in Activity</Button>}
          />
        </div>
      </Place>
      {toasts.map((toast) => (
        <div
          key={toast.title}
          className={styles.place}
          style={{ left: 1016, top: toast.y, width: 384 }}
        >
          <div className={styles.float}>
            <ToastCard toast={{ ...toast, count: 1 }} onClose={() => {}} />
          </div>
        </div>
      ))}
    </main>
  )
}
