import { useQuery } from '@tanstack/react-query'
import { IconArrowLeft, IconDatabaseImport } from '@tabler/icons-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { goBack } from '../../lib/page-history.ts'
import { api } from '../../lib/core/rpc.ts'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { useShortcut } from '../../ui/hooks/shortcuts.ts'
import { Brand } from '../shell/brand.tsx'
import { DiskFullBar, useDiskFull } from '../shell/disk-full-bar.tsx'
import { RestoreFlow } from '../settings/backup/restore-flow.tsx'
import { ConnectForm } from './connect-form.tsx'
import styles from './first-run.module.css'
import { SandboxOffer } from './sandbox-offer.tsx'

/**
 * The first page of a new data folder, and the page for connecting another account: connect with a
 * key, or start the sandbox.
 */
export function FirstRun({ another = false }: { another?: boolean }) {
  const [place, go] = useLocation()
  // The shell can render before the response arrives. Someone who has already opened another page
  // stays there.
  const arrive = (): void => {
    if (place === '/connect') go('/', { replace: true })
  }
  const { keychain, dataFolder } = useQuery(api.app.info.queryOptions()).data ?? {}
  const full = useDiskFull()
  useShortcut('Escape', () => goBack(() => go('/')), { enabled: another })
  return (
    <div className={styles.window}>
      <header className={styles.bar}>
        <Brand />
        {another ? (
          <Button
            kind="quiet"
            icon={<IconArrowLeft size={16} stroke={1.6} />}
            onClick={() => goBack(() => go('/'))}
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
          Your offers, orders and disputes in one place. Keydesk stores its data on this computer
          and connects only to your service.
        </p>
        <div className={styles.card}>
          <ConnectForm keychain={keychain} onConnected={arrive} />
          <SandboxOffer keychain={keychain} onStarted={arrive} />
        </div>
        {another ? null : <RestoreOffer />}
        {another || dataFolder === undefined ? null : (
          <p className={styles.folder}>
            The data is in <code>{dataFolder}</code> and stays there if you uninstall Keydesk.
          </p>
        )}
      </main>
    </div>
  )
}

/** Moves an installation to this computer: restores its backup instead of connecting accounts. */
function RestoreOffer() {
  const [restoring, setRestoring] = useState(false)
  return (
    <p className={styles.restore}>
      Moving from another computer?
      <Button
        kind="quiet"
        icon={<IconDatabaseImport size={16} stroke={1.6} />}
        onClick={() => setRestoring(true)}
      >
        Restore from a backup…
      </Button>
      {restoring ? <RestoreFlow onClose={() => setRestoring(false)} /> : null}
    </p>
  )
}
