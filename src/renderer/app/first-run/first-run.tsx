import { useQuery } from '@tanstack/react-query'
import { IconArrowLeft } from '@tabler/icons-react'
import { useLocation } from 'wouter'
import { api } from '../../lib/rpc.ts'
import { Button } from '../../ui/button.tsx'
import { useShortcut } from '../../ui/shortcuts.ts'
import { Brand } from '../brand.tsx'
import { DiskFullBar, useDiskFull } from '../disk-full-bar.tsx'
import { ConnectForm } from './connect-form.tsx'
import styles from './first-run.module.css'
import { SandboxOffer } from './sandbox-offer.tsx'

/**
 * The first page of a new desk, and the way to one account more: connect with a key, or start the
 * sandbox.
 */
export function FirstRun({ another = false }: { another?: boolean }) {
  const [place, go] = useLocation()
  // The shell may stand here before the answer does: whoever has gone on to a page by then stays
  // there.
  const arrive = (): void => {
    if (place === '/connect') go('/', { replace: true })
  }
  const keychain = useQuery(api.app.info.queryOptions()).data?.keychain
  const full = useDiskFull()
  useShortcut('Escape', () => history.back(), { enabled: another })
  return (
    <div className={styles.window}>
      <header className={styles.bar}>
        <Brand />
        {another ? (
          <Button
            kind="quiet"
            icon={<IconArrowLeft size={16} stroke={1.6} />}
            onClick={() => history.back()}
          >
            Back
          </Button>
        ) : null}
      </header>
      {full ? <DiskFullBar /> : null}
      <main className={styles.main}>
        <h1 className={styles.title}>
          {another ? 'Connect another account' : 'Welcome to Keydesk'}
        </h1>
        <p className={styles.lead}>
          Your offers, orders and disputes on one desk. It keeps its data on this machine and talks
          only to the service you connect.
        </p>
        <div className={styles.card}>
          <ConnectForm keychain={keychain} onConnected={arrive} />
          <SandboxOffer keychain={keychain} onStarted={arrive} />
        </div>
      </main>
    </div>
  )
}
