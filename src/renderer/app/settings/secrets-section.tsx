import { useMutation, useQuery } from '@tanstack/react-query'
import type { KeychainState } from '../../../contract/app.ts'
import type { VaultState } from '../../../contract/vault.ts'
import { problemOf } from '../../lib/problem.ts'
import { api, rpc } from '../../lib/rpc.ts'
import { openVault } from '../../lib/vault-gate.ts'
import { Button } from '../../ui/button.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { formatCount } from '../../ui/format.ts'
import { toastProblem } from '../../ui/toasts.tsx'
import styles from './settings.module.css'

const vaultWords: Record<VaultState['state'], string> = { open: 'Open', locked: 'Locked', unset: 'Not set up yet' }
const wrappedBy: Record<VaultState['kept'], string> = { keychain: 'a data key in the keychain', passphrase: 'your passphrase', none: 'nothing yet: it asks for a passphrase before it keeps a key' }

/** Where API keys and game keys are on this machine, said plainly, and the vault's lock. */
export function SecretsSection({ keychain, dataFolder }: { keychain: KeychainState; dataFolder: string }) {
  const vault = useQuery(api.vault.state.queryOptions()).data
  const turn = useMutation({
    mutationFn: async (open: boolean) => {
      if (open) return openVault()
      await rpc.vault.lock()
      window.dispatchEvent(new Event('keydesk:lock'))
      return false
    },
    onError: (error) => { toastProblem(problemOf(error)) },
    onSettled: (_opened, _error, _open, _context, { client }) => client.invalidateQueries({ queryKey: api.vault.key() }),
  })
  return (
    <section>
      <h2>Where your secrets are</h2>
      <div className={styles.facts}>
        <Facts>
          <Fact label="API keys">{keychain.available ? `In ${keychain.name}, and nowhere else` : 'In memory, until Keydesk ends'}</Fact>
          {keychain.available ? null : <Fact label="Why no keychain">{keychain.reason ?? 'Not found'}</Fact>}
          {vault === undefined ? null : (
            <>
              <Fact label="Vault">{vaultWords[vault.state]}, {formatCount(vault.entries)} {vault.entries === 1 ? 'key' : 'keys'} kept</Fact>
              <Fact label="Encrypted with">AES-256-GCM, each key by itself, by {wrappedBy[vault.kept]}</Fact>
            </>
          )}
          <Fact label="Data folder" mono>{dataFolder}</Fact>
        </Facts>
      </div>
      {vault === undefined || vault.state === 'unset' ? null : (
        <div className={styles.row}>
          <div><b>{vault.state === 'open' ? 'Lock the vault' : 'Open the vault'}</b><p>{vault.state === 'open' ? 'Revealed keys are hidden; the next import, reveal or download opens it again.' : 'Import, reveal and download need it open.'}</p></div>
          <Button busy={turn.isPending} onClick={() => turn.mutate(vault.state !== 'open')}>{vault.state === 'open' ? 'Lock' : 'Open'}</Button>
        </div>
      )}
    </section>
  )
}
