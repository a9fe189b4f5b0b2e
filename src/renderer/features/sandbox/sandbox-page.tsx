import { useMutation, useQuery } from '@tanstack/react-query'
import { IconPlugConnected } from '@tabler/icons-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { problemOf } from '../../lib/core/problem.ts'
import { api, rpc } from '../../lib/core/rpc.ts'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { CountTabs } from '../../ui/layout/count-tabs.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Page, PageHeader } from '../../ui/layout/page.tsx'
import { useShortcut } from '../../ui/hooks/shortcuts.ts'
import { toastProblem } from '../../ui/feedback/toasts.tsx'
import { AccountsView } from './accounts/accounts-view.tsx'
import { CertificateView } from './certificate/certificate-view.tsx'
import { ClaimsView } from './claims/claims-view.tsx'
import { ConnectionDialog } from './connection-dialog.tsx'
import { ControlView } from './control/control-view.tsx'
import { LedgerView } from './ledger/ledger-view.tsx'
import { ProductsView } from './products/products-view.tsx'
import { RequestsView } from './requests/requests-view.tsx'
import styles from './sandbox.module.css'
import { ResetDialog } from './worlds/reset-dialog.tsx'
import { SnapshotsDialog } from './worlds/snapshots-dialog.tsx'
import { WorldsView } from './worlds/worlds-view.tsx'

const views = {
  control: 'Control',
  requests: 'Requests',
  certificate: 'Certificate',
  worlds: 'Worlds',
  accounts: 'Accounts and keys',
  products: 'Products',
  claims: 'Claims',
  ledger: 'Ledger',
} as const
type View = keyof typeof views
const order = Object.keys(views) as View[]
const isView = (view: string | null): view is View => view !== null && view in views

/** The bundled backend from the operator's side: its dashboard, its support and its clock. */
export function SandboxPage({ view: asked, id }: { view: string | null; id: string | null }) {
  const view = isView(asked) ? asked : 'control'
  const [, go] = useLocation()
  const [dialog, setDialog] = useState<'connection' | 'snapshots' | 'reset' | null>(null)
  const sandbox = useQuery(api.sandbox.state.queryOptions()).data
  const runs = sandbox?.state === 'running'
  useShortcut('S', () => setDialog('snapshots'), { enabled: runs })
  useShortcut(
    '[',
    () => go(`/sandbox/${order[(order.indexOf(view) + order.length - 1) % order.length] ?? view}`),
    { enabled: runs },
  )
  useShortcut(
    ']',
    () => go(`/sandbox/${order[(order.indexOf(view) + 1) % order.length] ?? view}`),
    { enabled: runs },
  )
  const header = (
    <PageHeader
      title="Sandbox"
      beside={
        runs ? (
          <CountTabs
            label="Sandbox pages"
            value={view}
            onChange={(next) => go(`/sandbox/${next}`)}
            tabs={order.map((each) => ({ id: each, label: views[each] }))}
          />
        ) : null
      }
      actions={
        runs ? (
          <>
            <span className={styles.where}>
              <i />
              <code>{new URL(sandbox.baseUrl ?? 'http://127.0.0.1').host}</code>
            </span>
            {view === 'worlds' ? (
              <Button kind="danger" onClick={() => setDialog('reset')}>
                Reset…
              </Button>
            ) : null}
            <Button
              icon={<IconPlugConnected size={16} stroke={1.6} />}
              onClick={() => setDialog('connection')}
            >
              Connect…
            </Button>
          </>
        ) : null
      }
    />
  )
  if (sandbox === undefined) return <Page>{header}</Page>
  if (!runs)
    return (
      <Page>
        {header}
        <Stopped failed={sandbox.reason} starting={sandbox.state === 'starting'} />
      </Page>
    )
  const open = (next: string | null): void =>
    go(next === null ? `/sandbox/${view}` : `/sandbox/${view}/${encodeURIComponent(next)}`)
  return (
    <>
      {view === 'requests' ? <RequestsView header={header} id={id} onOpen={open} /> : null}
      {view === 'certificate' ? <CertificateView header={header} /> : null}
      {view === 'worlds' ? <WorldsView header={header} id={id} onOpen={open} /> : null}
      {view === 'accounts' ? <AccountsView header={header} id={id} onOpen={open} /> : null}
      {view === 'products' ? <ProductsView header={header} id={id} onOpen={open} /> : null}
      {view === 'claims' ? <ClaimsView header={header} id={id} onOpen={open} /> : null}
      {view === 'control' ? (
        <Page>
          {header}
          <ControlView
            onWhy={(request) => go(`/sandbox/requests/${encodeURIComponent(request)}`)}
          />
        </Page>
      ) : null}
      {view === 'ledger' ? (
        <Page>
          {header}
          <LedgerView />
        </Page>
      ) : null}
      <ConnectionDialog opened={dialog === 'connection'} onClose={() => setDialog(null)} />
      <SnapshotsDialog opened={dialog === 'snapshots'} onClose={() => setDialog(null)} />
      <ResetDialog opened={dialog === 'reset'} onClose={() => setDialog(null)} />
    </>
  )
}

function Stopped({ failed, starting }: { failed: string | null; starting: boolean }) {
  const [, go] = useLocation()
  const available = useQuery(api.app.info.queryOptions()).data?.keychain.available ?? true
  const start = useMutation({
    mutationFn: () => rpc.sandbox.start({ keep: available ? 'keychain' : 'session' }),
    onError: (error) => {
      toastProblem(problemOf(error), null)
    },
    onSettled: (_state, _error, _on, _context, { client }) =>
      client.invalidateQueries({ queryKey: api.sandbox.key() }),
  })
  return (
    <EmptyState
      title={failed === null ? 'The sandbox isn’t running' : 'The sandbox stopped'}
      text={
        failed ??
        'A complete marketplace on this computer, with test money. ' +
          'Once it runs, you’ll find its clock, accounts, faults and log here.'
      }
      actions={
        <>
          <Button
            kind="sandbox"
            size="lg"
            autoFocus
            busy={start.isPending || starting}
            onClick={() => start.mutate()}
          >
            Start the sandbox
          </Button>
          <Button size="lg" onClick={() => go('/settings')}>
            Open settings
          </Button>
        </>
      }
      steps={[
        { title: 'Start it', text: 'Keydesk connects a demo seller and a demo partner.' },
        {
          title: 'Advance its clock',
          text: 'Skip to tomorrow, with everything that falls due until then.',
        },
        { title: 'Break it', text: 'Add faults to see how your integration handles a bad day.' },
      ]}
    />
  )
}
