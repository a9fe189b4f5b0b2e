import { t } from '../../../../contract/localization/localized.ts'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import type { KeychainState } from '../../../../contract/app/app.ts'
import type { VaultState } from '../../../../contract/app/vault.ts'
import { api } from '../../../lib/core/rpc.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { Fact, Facts } from '../../../ui/data-display/facts.tsx'
import styles from '../settings.module.css'

const vaultLabels: Record<VaultState['state'], string> = {
  open: 'Unlocked',
  locked: 'Locked',
  unset: 'Not set up yet',
}

/** A summary of where secrets are, with a link to the detailed page. */
export function SecretsSection({
  keychain,
  dataFolder,
}: {
  keychain: KeychainState
  dataFolder: string
}) {
  const vault = useQuery(api.vault.state.queryOptions()).data
  const [, go] = useLocation()
  return (
    <section>
      <h2>Where your secrets are</h2>
      <div className={styles.facts}>
        <Facts>
          <Fact label="API keys">
            {keychain.available ? `Only in ${keychain.name}` : 'In memory, until Keydesk quits'}
          </Fact>
          {keychain.available ? null : (
            <Fact label="Why no keychain">{keychain.reason ?? 'Not found'}</Fact>
          )}
          {vault === undefined ? null : (
            <Fact label="Vault">
              {vaultLabels[vault.state]}, {t('counts.keys', { count: vault.entries })} saved
            </Fact>
          )}
          <Fact label="Data folder" mono>
            {dataFolder}
          </Fact>
        </Facts>
      </div>
      <div className={styles.row}>
        <div>
          <b>Every secret and every file</b>
          <p>Lock the vault, replace its key, export saved keys or make a recovery copy.</p>
        </div>
        <Button onClick={() => go('/settings/secrets')}>Show all…</Button>
      </div>
      <div className={styles.row}>
        <div>
          <b>Security</b>
          <p>A second proof before keys leave Keydesk, the lock, and recent passphrases.</p>
        </div>
        <Button onClick={() => go('/settings/security')}>Open…</Button>
      </div>
    </section>
  )
}
